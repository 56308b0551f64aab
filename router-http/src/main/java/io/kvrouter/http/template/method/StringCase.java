package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.Characters;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** Methods of str that change case, or ask what its characters are. */
public final class StringCase {
    private StringCase() {}

    static void addTo(Map<String, Method<String>> table) {
        table.put("upper", StringMethods.plain("upper", self -> self.toUpperCase(Locale.ROOT)));
        table.put("lower", StringMethods.plain("lower", self -> self.toLowerCase(Locale.ROOT)));
        table.put(
                "casefold",
                StringMethods.plain(
                        "casefold", self -> self.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT)));
        table.put("capitalize", StringMethods.plain("capitalize", StringCase::capitalize));
        table.put("title", StringMethods.plain("title", StringCase::title));
        table.put("swapcase", StringMethods.plain("swapcase", StringCase::swap));
        table.put("isupper", asking(self -> hasOneCase(self, Character::isUpperCase)));
        table.put("islower", asking(self -> hasOneCase(self, Character::isLowerCase)));
        table.put("istitle", asking(StringCase::isTitle));
        table.put("isspace", each(Characters::isSpace));
        table.put("isalpha", each(Character::isLetter));
        table.put("isdigit", each(StringCase::isDigit));
        table.put("isdecimal", each(Character::isDigit));
        table.put("isnumeric", each(StringCase::isNumeric));
        table.put("isalnum", each(c -> Character.isLetter(c) || isNumeric(c)));
        table.put("isascii", asking(self -> self.chars().allMatch(c -> c < 0x80)));
        table.put("isprintable", asking(self -> self.codePoints().allMatch(Characters::isPrintable)));
        table.put("isidentifier", asking(StringCase::isIdentifier));
    }

    private static Method<String> asking(Predicate<String> question) {
        return (self, arguments) -> {
            arguments.byPosition("is...", 0, 0);
            return question.test(self);
        };
    }

    private static Method<String> each(IntPredicate question) {
        return asking(self -> !self.isEmpty() && self.codePoints().allMatch(question));
    }

    private static boolean isNumeric(int c) {
        int type = Character.getType(c);
        return type == Character.DECIMAL_DIGIT_NUMBER
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER;
    }

    /** Digits also of superscripts and subscripts. */
    private static boolean isDigit(int c) {
        return Character.isDigit(c)
                || "\u00b2\u00b3\u00b9".indexOf(c) >= 0
                || (c >= 0x2070 && c <= 0x2089 && isNumeric(c));
    }

    private static boolean isIdentifier(String text) {
        return !text.isEmpty()
                && (Character.isUnicodeIdentifierStart(text.codePointAt(0)) || text.charAt(0) == '_')
                && text.codePoints()
                        .skip(1)
                        .allMatch(c -> Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
    }

    public static String capitalize(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int first = text.offsetByCodePoints(0, 1);
        return titleCase(text.substring(0, first)) + text.substring(first).toLowerCase(Locale.ROOT);
    }

    private static String titleCase(String character) {
        int c = character.codePointAt(0);
        int title = Character.toTitleCase(c);
        if (title != c) {
            return Character.toString(title);
        }
        String upper = character.toUpperCase(Locale.ROOT);
        int rest = upper.offsetByCodePoints(0, 1);
        return upper.substring(0, rest) + upper.substring(rest).toLowerCase(Locale.ROOT);
    }

    /** Each run of letters with a capital first, as {@code str.title} takes runs: an apostrophe ends one. */
    private static String title(String text) {
        var out = new StringBuilder(text.length());
        boolean inWord = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            String character = Character.toString(c);
            out.append(inWord ? character.toLowerCase(Locale.ROOT) : titleCase(character));
            inWord = isCased(c);
            i += Character.charCount(c);
        }
        return out.toString();
    }

    private static String swap(String text) {
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            String character = Character.toString(c);
            out.append(
                    Character.isUpperCase(c)
                            ? character.toLowerCase(Locale.ROOT)
                            : Character.isLowerCase(c) ? character.toUpperCase(Locale.ROOT) : character);
        });
        return out.toString();
    }

    private static boolean isCased(int c) {
        return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
    }

    /** Whether {@code str.isupper} or {@code str.islower}: some letter has a case, and all that have one have this. */
    public static boolean hasOneCase(String text, IntPredicate wanted) {
        return text.codePoints().anyMatch(StringCase::isCased)
                && text.codePoints().filter(StringCase::isCased).allMatch(wanted);
    }

    private static boolean isTitle(String text) {
        boolean inWord = false;
        boolean any = false;
        for (int c : text.codePoints().toArray()) {
            boolean capital = Character.isUpperCase(c) || Character.isTitleCase(c);
            if (isCased(c) && capital == inWord) {
                return false;
            }
            inWord = isCased(c);
            any |= inWord;
        }
        return any;
    }
}
