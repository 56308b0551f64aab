package io.kvrouter.http.template.method;

import io.kvrouter.http.template.format.BraceFormat;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The methods of str, a table by name. */
public final class StringMethods {
    private static final Map<String, Method<String>> METHODS = table();

    private StringMethods() {}

    /** The method, or null if str has none of that name (or none that this interpreter knows). */
    public static @Nullable Method<String> get(String name) {
        return METHODS.get(name);
    }

    private static Map<String, Method<String>> table() {
        Map<String, Method<String>> table = new HashMap<>();
        StringCase.addTo(table);
        StringSplits.addTo(table);
        StringSearch.addTo(table);
        StringPadding.addTo(table);
        table.put("replace", StringMethods::replace);
        table.put("join", StringMethods::join);
        table.put("format", (self, arguments) -> BraceFormat.of(self, arguments, Attributes.LOOKUP));
        table.put("format_map", StringMethods::formatMap);
        return Map.copyOf(table);
    }

    /** A method without arguments. */
    static Method<String> plain(String name, UnaryOperator<String> change) {
        return (self, arguments) -> {
            arguments.byPosition(name, 0, 0);
            return change.apply(self);
        };
    }

    static String text(@Nullable Object argument, String what) {
        if (argument instanceof String text) {
            return text;
        }
        throw PythonError.type(what + " must be str, not " + TypeName.of(argument == null ? None.NONE : argument));
    }

    /** How often; absent or negative is without limit. */
    static int count(@Nullable Object argument) {
        int count = argument == null ? -1 : Numbers.asIndex(argument);
        return count < 0 ? Integer.MAX_VALUE : count;
    }

    private static Object replace(String self, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("replace", 2, "old", "new", "count");
        String from = text(a[0], "replace() argument 1");
        String to = text(a[1], "replace() argument 2");
        return Replacement.of(self, from, to, count(a[2]));
    }

    private static Object join(String self, Arguments arguments) {
        arguments.byPosition("join", 1, 1);
        Object items = arguments.positional().get(0);
        if (!Iteration.isIterable(items)) {
            throw PythonError.type("can only join an iterable");
        }
        var out = new StringBuilder();
        int i = 0;
        for (Iterator<Object> each = Iteration.over(items); each.hasNext(); i++) {
            Object item = each.next();
            if (!(item instanceof String text)) {
                throw PythonError.type(
                        "sequence item " + i + ": expected str instance, " + TypeName.of(item) + " found");
            }
            out.append(i == 0 ? "" : self).append(text);
            TextLimit.check(out.length());
        }
        return out.toString();
    }

    private static Object formatMap(String self, Arguments arguments) {
        arguments.byPosition("format_map", 1, 1);
        Map<String, Object> named = new HashMap<>();
        if (arguments.positional().get(0) instanceof PyDict dict) {
            dict.forEach((key, value) -> {
                if (key instanceof String name) {
                    named.put(name, value);
                }
            });
        }
        return BraceFormat.of(self, new Arguments(List.of(), named), Attributes.LOOKUP);
    }
}
