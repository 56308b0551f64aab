package io.kvrouter.http.template.format;

import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Python's {@code str.format}. */
public final class BraceFormat {
    private static final Pattern FIRST = Pattern.compile("[^.\\[]*");
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[]+)|\\[([^]]+)]");
    private static final int MOST_NESTED = 2;

    /** Looks up what a replacement field's path asks for, under the sandbox's rules. */
    public interface Lookup {
        Object attribute(Object owner, String name);

        Object item(Object owner, Object key);
    }

    private final Arguments arguments;
    private final Lookup lookup;
    private int next;
    /** Whether fields are numbered; null until the first one says. */
    private @Nullable Boolean manual;

    private BraceFormat(Arguments arguments, Lookup lookup) {
        this.arguments = arguments;
        this.lookup = lookup;
    }

    public static String of(String format, Arguments arguments, Lookup lookup) {
        return new BraceFormat(arguments, lookup).apply(format, MOST_NESTED);
    }

    private String apply(String format, int nesting) {
        if (nesting == 0) {
            throw PythonError.value("Max string recursion exceeded");
        }
        var out = new StringBuilder();
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at);
            if ((c == '{' || c == '}') && at + 1 < format.length() && format.charAt(at + 1) == c) {
                out.append(c);
                at += 2;
            } else if (c == '}') {
                throw PythonError.value("Single '}' encountered in format string");
            } else if (c == '{') {
                int end = close(format, at + 1);
                out.append(field(format.substring(at + 1, end), nesting));
                at = end + 1;
            } else {
                out.append(c);
                at++;
            }
            TextLimit.check(out.length());
        }
        return out.toString();
    }

    private static int close(String format, int start) {
        int depth = 1;
        for (int i = start; i < format.length(); i++) {
            depth += switch (format.charAt(i)) {
                case '{' -> 1;
                case '}' -> -1;
                default -> 0;
            };
            if (depth == 0) {
                return i;
            }
        }
        throw PythonError.value(
                start == format.length()
                        ? "Single '{' encountered in format string"
                        : "expected '}' before end of string");
    }

    private String field(String field, int nesting) {
        int colon = field.indexOf(':');
        String path = colon < 0 ? field : field.substring(0, colon);
        String spec = colon < 0 ? "" : field.substring(colon + 1);
        int mark = path.indexOf('!');
        Object value = value(mark < 0 ? path : path.substring(0, mark));
        if (mark >= 0) {
            value = converted(value, path.substring(mark + 1));
        }
        return FormatSpec.apply(value, spec.indexOf('{') < 0 ? spec : apply(spec, nesting - 1));
    }

    private static String converted(Object value, String conversion) {
        return switch (conversion) {
            case "s" -> PyText.str(value);
            case "r" -> PyText.repr(value);
            case "a" -> Ascii.of(PyText.repr(value));
            default -> throw PythonError.value("Unknown conversion specifier " + conversion);
        };
    }

    private Object value(String path) {
        Matcher first = FIRST.matcher(path);
        first.lookingAt();
        Object value = argument(first.group());
        Matcher step = STEP.matcher(path);
        int at = first.end();
        while (at < path.length()) {
            if (!step.find(at) || step.start() != at) {
                throw PythonError.value("Empty attribute in format string");
            }
            value = step.group(1) != null
                    ? lookup.attribute(value, step.group(1))
                    : lookup.item(value, key(step.group(2)));
            at = step.end();
        }
        return value;
    }

    private static Object key(String written) {
        return isIndex(written) ? (Object) Long.parseLong(written) : written;
    }

    private static boolean isIndex(String written) {
        return !written.isEmpty() && written.length() < 10 && written.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private Object argument(String name) {
        if (name.isEmpty() || isIndex(name)) {
            return arguments.positional().get(index(name));
        }
        Object value = arguments.named().get(name);
        if (value == null) {
            throw new PythonError(ErrorKind.KEY, "'" + name + "'");
        }
        return value;
    }

    private int index(String written) {
        Boolean numbered = !written.isEmpty();
        if (manual != null && !manual.equals(numbered)) {
            throw PythonError.value("cannot switch between manual field specification and automatic field numbering");
        }
        manual = numbered;
        int index = numbered ? Integer.parseInt(written) : next++;
        if (index >= arguments.positional().size()) {
            throw new PythonError(
                    ErrorKind.INDEX, "Replacement index " + index + " out of range for positional args tuple");
        }
        return index;
    }
}
