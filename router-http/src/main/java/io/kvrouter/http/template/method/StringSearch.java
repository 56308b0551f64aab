package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.CodePoints;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Methods of str that look for something in it. Positions are code points. */
final class StringSearch {
    private StringSearch() {}

    static void addTo(Map<String, Method<String>> table) {
        table.put("find", (self, arguments) -> find(self, arguments, false));
        table.put("rfind", (self, arguments) -> find(self, arguments, true));
        table.put("index", (self, arguments) -> found(find(self, arguments, false)));
        table.put("rindex", (self, arguments) -> found(find(self, arguments, true)));
        table.put("count", StringSearch::count);
        table.put("startswith", (self, arguments) -> hasAffix(self, arguments, true));
        table.put("endswith", (self, arguments) -> hasAffix(self, arguments, false));
        table.put("removeprefix", StringSearch::removePrefix);
        table.put("removesuffix", StringSearch::removeSuffix);
    }

    /** The part of a text that a search is bound to, and where it starts; {@code text} is null if the bounds cross. */
    private record Window(@Nullable String text, int start) {
        static Window of(String self, @Nullable Object start, @Nullable Object end) {
            if (start == null && end == null) {
                return new Window(self, 0);
            }
            int length = CodePoints.length(self);
            int from = bound(start, 0, length);
            int to = Math.min(length, bound(end, length, length));
            return new Window(from > to ? null : CodePoints.substring(self, from, to), from);
        }

        private static int bound(@Nullable Object value, int absent, int length) {
            if (value == null || value == None.NONE) {
                return absent;
            }
            int index = Numbers.asIndex(value);
            return Math.max(0, index < 0 ? index + length : index);
        }
    }

    private static long find(String self, Arguments arguments, boolean last) {
        @Nullable Object[] a = arguments.byPosition("find", 1, 3);
        String wanted = StringMethods.text(a[0], "argument 1");
        Window window = Window.of(self, a[1], a[2]);
        if (window.text() == null) {
            return -1;
        }
        int at = last ? window.text().lastIndexOf(wanted) : window.text().indexOf(wanted);
        return at < 0 ? -1 : window.start() + CodePoints.fromUnits(window.text(), at);
    }

    private static Object found(long position) {
        if (position < 0) {
            throw PythonError.value("substring not found");
        }
        return position;
    }

    private static Object count(String self, Arguments arguments) {
        @Nullable Object[] a = arguments.byPosition("count", 1, 3);
        String wanted = StringMethods.text(a[0], "argument 1");
        String text = Window.of(self, a[1], a[2]).text();
        if (text == null) {
            return 0L;
        }
        if (wanted.isEmpty()) {
            return CodePoints.length(text) + 1L;
        }
        long count = 0;
        for (int at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length())) {
            count++;
        }
        return count;
    }

    private static Object hasAffix(String self, Arguments arguments, boolean prefix) {
        String name = prefix ? "startswith" : "endswith";
        @Nullable Object[] a = arguments.byPosition(name, 1, 3);
        String text = Window.of(self, a[1], a[2]).text();
        List<Object> affixes = arguments.positional().get(0) instanceof PyTuple tuple
                ? tuple.items()
                : arguments.positional().subList(0, 1);
        for (Object affix : affixes) {
            if (!(affix instanceof String wanted)) {
                throw PythonError.type(name + " first arg must be str or a tuple of str, not " + TypeName.of(affix));
            }
            if (text != null && (prefix ? text.startsWith(wanted) : text.endsWith(wanted))) {
                return true;
            }
        }
        return false;
    }

    private static Object removePrefix(String self, Arguments arguments) {
        String prefix = StringMethods.text(arguments.byPosition("removeprefix", 1, 1)[0], "removeprefix() argument");
        return self.startsWith(prefix) ? self.substring(prefix.length()) : self;
    }

    private static Object removeSuffix(String self, Arguments arguments) {
        String suffix = StringMethods.text(arguments.byPosition("removesuffix", 1, 1)[0], "removesuffix() argument");
        return self.endsWith(suffix) ? self.substring(0, self.length() - suffix.length()) : self;
    }
}
