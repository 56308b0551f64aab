package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.Characters;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Methods of str that take it apart. */
public final class StringSplits {
    private StringSplits() {}

    static void addTo(Map<String, Method<String>> table) {
        table.put("split", (self, arguments) -> split(self, arguments, false));
        table.put("rsplit", (self, arguments) -> split(self, arguments, true));
        table.put("splitlines", (self, arguments) -> {
            @Nullable Object keep = arguments.bind("splitlines", 0, "keepends")[0];
            return lines(self, keep != null && Truth.of(keep));
        });
        table.put("partition", (self, arguments) -> partition(self, separator(arguments), false));
        table.put("rpartition", (self, arguments) -> partition(self, separator(arguments), true));
    }

    private static List<Object> split(String self, Arguments arguments, boolean fromEnd) {
        @Nullable Object[] a = arguments.bind("split", 0, "sep", "maxsplit");
        int most = StringMethods.count(a[1]);
        if (a[0] == null || a[0] == None.NONE) {
            return fromEnd ? wordsFromEnd(self, most) : words(self, most);
        }
        String separator = nonEmpty(StringMethods.text(a[0], "separator"));
        return fromEnd ? partsFromEnd(self, separator, most) : parts(self, separator, most);
    }

    private static String nonEmpty(String separator) {
        if (separator.isEmpty()) {
            throw PythonError.value("empty separator");
        }
        return separator;
    }

    private static List<Object> parts(String text, String separator, int most) {
        List<Object> parts = new ArrayList<>();
        int start = 0;
        int end;
        while (parts.size() < most && (end = text.indexOf(separator, start)) >= 0) {
            parts.add(text.substring(start, end));
            start = end + separator.length();
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static List<Object> partsFromEnd(String text, String separator, int most) {
        List<Object> parts = new ArrayList<>();
        int end = text.length();
        int start;
        while (parts.size() < most && (start = text.lastIndexOf(separator, end - separator.length())) >= 0) {
            parts.add(text.substring(start + separator.length(), end));
            end = start;
        }
        parts.add(text.substring(0, end));
        return parts.reversed();
    }

    private static List<Object> words(String text, int most) {
        List<Object> words = new ArrayList<>();
        String rest = Characters.stripStart(text);
        int start = 0;
        while (start < rest.length()) {
            if (words.size() == most) {
                words.add(rest.substring(start));
                return words;
            }
            int end = start;
            while (end < rest.length() && !Characters.isSpace(rest.charAt(end))) {
                end++;
            }
            words.add(rest.substring(start, end));
            start = end;
            while (start < rest.length() && Characters.isSpace(rest.charAt(start))) {
                start++;
            }
        }
        return words;
    }

    private static List<Object> wordsFromEnd(String text, int most) {
        List<Object> words = new ArrayList<>();
        int end = Characters.stripEnd(text).length();
        while (end > 0) {
            if (words.size() == most) {
                words.add(text.substring(0, end));
                break;
            }
            int start = end;
            while (start > 0 && !Characters.isSpace(text.charAt(start - 1))) {
                start--;
            }
            words.add(text.substring(start, end));
            end = Characters.stripEnd(text.substring(0, start)).length();
        }
        return words.reversed();
    }

    /** {@code str.splitlines}. */
    public static List<Object> lines(String text, boolean keepEnds) {
        List<Object> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Characters.isLineBreak(c)) {
                int next = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n' ? i + 2 : i + 1;
                lines.add(text.substring(start, keepEnds ? next : i));
                start = next;
                i = next - 1;
            }
        }
        if (start < text.length()) {
            lines.add(text.substring(start));
        }
        return lines;
    }

    private static String separator(Arguments arguments) {
        return nonEmpty(StringMethods.text(arguments.byPosition("partition", 1, 1)[0], "separator"));
    }

    private static PyTuple partition(String text, String separator, boolean last) {
        int at = last ? text.lastIndexOf(separator) : text.indexOf(separator);
        if (at < 0) {
            return last ? PyTuple.of("", "", text) : PyTuple.of(text, "", "");
        }
        return PyTuple.of(text.substring(0, at), separator, text.substring(at + separator.length()));
    }
}
