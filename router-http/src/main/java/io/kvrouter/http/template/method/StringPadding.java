package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.Characters;
import io.kvrouter.http.template.python.CodePoints;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PythonError;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Methods of str that strip its ends, or fill it up to a width. */
public final class StringPadding {
    private StringPadding() {}

    static void addTo(Map<String, Method<String>> table) {
        table.put("strip", (self, arguments) -> strip(self, arguments, true, true));
        table.put("lstrip", (self, arguments) -> strip(self, arguments, true, false));
        table.put("rstrip", (self, arguments) -> strip(self, arguments, false, true));
        table.put("center", (self, arguments) -> {
            int missing = missing(self, arguments, "center");
            int width = CodePoints.length(self) + missing;
            int left = missing / 2 + (missing & width & 1);
            return fill(arguments).repeat(left) + self + fill(arguments).repeat(missing - left);
        });
        table.put("ljust", (self, arguments) -> self + fill(arguments).repeat(missing(self, arguments, "ljust")));
        table.put("rjust", (self, arguments) -> fill(arguments).repeat(missing(self, arguments, "rjust")) + self);
        table.put("zfill", StringPadding::zeros);
        table.put("expandtabs", StringPadding::expandTabs);
    }

    private static Object strip(String self, Arguments arguments, boolean start, boolean end) {
        @Nullable Object characters = arguments.byPosition("strip", 0, 1)[0];
        if (characters != null && characters != None.NONE) {
            return strip(self, StringMethods.text(characters, "strip arg"), start, end);
        }
        String text = start ? Characters.stripStart(self) : self;
        return end ? Characters.stripEnd(text) : text;
    }

    /** The text without the given characters at its ends. */
    public static String strip(String text, String characters, boolean atStart, boolean atEnd) {
        int start = 0;
        int end = text.length();
        while (atStart && start < end && characters.indexOf(text.codePointAt(start)) >= 0) {
            start += Character.charCount(text.codePointAt(start));
        }
        while (atEnd && end > start && characters.indexOf(text.codePointBefore(end)) >= 0) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(start, end);
    }

    private static int missing(String self, Arguments arguments, String name) {
        arguments.byPosition(name, 1, 2);
        int width = Numbers.asIndex(arguments.positional().get(0));
        return TextLimit.check(Math.max(0, width - CodePoints.length(self)));
    }

    private static String fill(Arguments arguments) {
        if (arguments.positional().size() < 2) {
            return " ";
        }
        if (arguments.positional().get(1) instanceof String fill && CodePoints.length(fill) == 1) {
            return fill;
        }
        throw PythonError.type("The fill character must be exactly one character long");
    }

    private static Object zeros(String self, Arguments arguments) {
        String zeros = "0".repeat(missing(self, arguments, "zfill"));
        boolean signed = self.startsWith("+") || self.startsWith("-");
        return signed ? self.charAt(0) + zeros + self.substring(1) : zeros + self;
    }

    private static Object expandTabs(String self, Arguments arguments) {
        @Nullable Object size = arguments.bind("expandtabs", 0, "tabsize")[0];
        int tab = size == null ? 8 : Numbers.asIndex(size);
        var out = new StringBuilder();
        int column = 0;
        for (int c : self.codePoints().toArray()) {
            if (c == '\t') {
                int spaces = tab > 0 ? tab - column % tab : 0;
                TextLimit.check((long) out.length() + spaces);
                out.repeat(' ', spaces);
                column += spaces;
            } else {
                out.appendCodePoint(c);
                column = c == '\n' || c == '\r' ? 0 : column + 1;
            }
        }
        return out.toString();
    }
}
