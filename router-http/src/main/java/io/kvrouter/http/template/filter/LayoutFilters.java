package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.method.StringSplits;
import io.kvrouter.http.template.operator.Arithmetic;
import io.kvrouter.http.template.python.CodePoints;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PythonError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Filters that indent, centre, shorten or quote a text. */
final class LayoutFilters {
    private static final int LEEWAY = 5;

    private LayoutFilters() {}

    static void addTo(Map<String, Filter> table) {
        table.put("indent", LayoutFilters::indent);
        table.put("center", LayoutFilters::center);
        table.put("truncate", LayoutFilters::truncate);
        table.put("urlencode", (input, none) -> urlEncode(input));
    }

    private static Object indent(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("indent", 0, "width", "first", "blank");
        String indention = a[0] instanceof String text
                ? text
                : " ".repeat(TextLimit.check(Math.max(0, a[0] == null ? 4 : Numbers.asIndex(a[0]))));
        boolean blank = a[2] != null && Truth.of(a[2]);
        List<Object> lines = StringSplits.lines(PyText.str(Arithmetic.add(input, "\n")), false);
        var out = new StringBuilder(a[1] != null && Truth.of(a[1]) ? indention : "");
        String separator = "";
        for (Object line : lines) {
            boolean indented = !separator.isEmpty() && (blank || !((String) line).isEmpty());
            out.append(separator).append(indented ? indention : "").append(line);
            TextLimit.check(out.length());
            separator = "\n";
        }
        return input instanceof Markup ? new Markup(out.toString()) : out.toString();
    }

    private static Object center(Object input, Arguments arguments) {
        @Nullable Object width = arguments.bind("center", 0, "width")[0];
        String text = PyText.str(input);
        int wide = width == null ? 80 : Numbers.asIndex(width);
        int missing = TextLimit.check(Math.max(0, wide - CodePoints.length(text)));
        int left = missing / 2 + (missing & wide & 1);
        return " ".repeat(left) + text + " ".repeat(missing - left);
    }

    private static Object truncate(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("truncate", 0, "length", "killwords", "end", "leeway");
        String end = a[2] instanceof String given ? given : "...";
        int length = a[0] == null ? 255 : Numbers.asIndex(a[0]);
        int leeway = a[3] == null ? LEEWAY : Numbers.asIndex(a[3]);
        int kept = length - CodePoints.length(end);
        if (kept < 0 || leeway < 0) {
            throw new PythonError(ErrorKind.ASSERTION, "expected length >= " + end.length() + ", got " + length);
        }
        if (Iteration.length(input) <= length + leeway) {
            return input;
        }
        String text = PyText.str(input);
        String cut = CodePoints.substring(text, 0, kept);
        int space = a[1] != null && Truth.of(a[1]) ? -1 : cut.lastIndexOf(' ');
        return (space < 0 ? cut : cut.substring(0, space)) + end;
    }

    private static String urlEncode(Object input) {
        boolean pairs = Iteration.isIterable(input) && !(Markup.plain(input) instanceof String);
        if (!pairs) {
            return urlEncode(PyText.str(input), "_.-~/");
        }
        List<String> encoded = new ArrayList<>();
        for (Object pair : Iteration.list(input instanceof PyDict dict ? dict.items() : input)) {
            List<Object> parts = Iteration.list(pair);
            if (parts.size() != 2) {
                throw PythonError.value("not enough values to unpack (expected 2, got " + parts.size() + ")");
            }
            encoded.add(queryPart(parts.get(0)) + "=" + queryPart(parts.get(1)));
        }
        return String.join("&", encoded);
    }

    private static String queryPart(Object value) {
        return urlEncode(PyText.str(value), "_.-~").replace("%20", "+");
    }

    private static String urlEncode(String text, String punctuation) {
        var out = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            boolean safe = (b >= '0' && b <= '9')
                    || (b >= 'a' && b <= 'z')
                    || (b >= 'A' && b <= 'Z')
                    || punctuation.indexOf(b) >= 0;
            out.append(safe ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02X", b));
        }
        return out.toString();
    }
}
