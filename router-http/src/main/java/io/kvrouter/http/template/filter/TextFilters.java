package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.format.PercentFormat;
import io.kvrouter.http.template.method.Replacement;
import io.kvrouter.http.template.method.StringCase;
import io.kvrouter.http.template.method.StringPadding;
import io.kvrouter.http.template.python.Characters;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Filters that make a text of a text. */
final class TextFilters {
    private static final Pattern WORD = Pattern.compile("[-\\s({\\[<]*[^-\\s({\\[<]*", Pattern.UNICODE_CHARACTER_CLASS);
    private static final Pattern WORD_START = Pattern.compile("[^-\\s({\\[<]", Pattern.UNICODE_CHARACTER_CLASS);
    private static final Pattern COUNTED_WORD = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);

    private TextFilters() {}

    static void addTo(Map<String, Filter> table) {
        table.put("string", plain("string", text -> text));
        table.put("upper", plain("upper", text -> text.toUpperCase(Locale.ROOT)));
        table.put("lower", plain("lower", text -> text.toLowerCase(Locale.ROOT)));
        table.put("capitalize", plain("capitalize", StringCase::capitalize));
        table.put("title", plain("title", TextFilters::title));
        table.put("safe", (input, none) -> new Markup(PyText.str(input)));
        table.put("escape", (input, none) -> escape(input));
        table.put("e", (input, none) -> escape(input));
        table.put("forceescape", (input, none) -> Markup.escape(PyText.str(input)));
        table.put("trim", TextFilters::trim);
        table.put("replace", TextFilters::replace);
        table.put("format", TextFilters::format);
        table.put(
                "wordcount",
                (input, none) ->
                        COUNTED_WORD.matcher(PyText.str(input)).results().count());
    }

    private static Filter plain(String name, UnaryOperator<String> change) {
        return (input, arguments) -> {
            if (!arguments.isEmpty()) {
                arguments.bind(name, 0);
            }
            return sameKind(input, change.apply(PyText.str(input)));
        };
    }

    /** What is made of markup is markup. */
    private static Object sameKind(Object input, String result) {
        return input instanceof Markup ? new Markup(result) : result;
    }

    private static Markup escape(Object input) {
        return input instanceof Markup markup ? markup : Markup.escape(PyText.str(input));
    }

    private static Object trim(Object input, Arguments arguments) {
        @Nullable Object characters = arguments.bind("trim", 0, "chars")[0];
        String text = PyText.str(input);
        if (characters == null || characters == None.NONE) {
            return sameKind(input, Characters.strip(text));
        }
        if (characters instanceof String set) {
            return sameKind(input, StringPadding.strip(text, set, true, true));
        }
        throw PythonError.type("strip arg must be None or str");
    }

    private static Object replace(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("replace", 2, "old", "new", "count");
        int count = a[2] == null || a[2] == None.NONE ? -1 : Numbers.asIndex(a[2]);
        return Replacement.of(PyText.str(input), text(a[0]), text(a[1]), count < 0 ? Integer.MAX_VALUE : count);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : PyText.str(value);
    }

    private static Object format(Object input, Arguments arguments) {
        if (!arguments.named().isEmpty() && !arguments.positional().isEmpty()) {
            throw new PythonError(
                    ErrorKind.FILTER_ARGUMENT, "can't handle positional and keyword arguments at the same time");
        }
        if (arguments.named().isEmpty()) {
            return PercentFormat.of(PyText.str(input), new PyTuple(arguments.positional()));
        }
        var named = new PyDict();
        arguments.named().forEach(named::put);
        return PercentFormat.of(PyText.str(input), named);
    }

    /** Words begin after white space, hyphens and opening brackets; {@code str.title} takes more for beginnings. */
    private static String title(String text) {
        var out = new StringBuilder(text.length());
        for (Matcher word = WORD.matcher(text); word.find(); ) {
            String part = word.group();
            Matcher start = WORD_START.matcher(part);
            int at = start.find() ? start.start() : part.length();
            int rest = at == part.length() ? at : part.offsetByCodePoints(at, 1);
            out.append(part, 0, at)
                    .append(part.substring(at, rest).toUpperCase(Locale.ROOT))
                    .append(part.substring(rest).toLowerCase(Locale.ROOT));
        }
        return out.toString();
    }
}
