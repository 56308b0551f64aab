package io.kvrouter.http.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Texts that tokenizers disagree about: many scripts, emoji, marks, blanks of all kinds, numbers, contractions, code,
 * long runs, and added tokens whole and broken. Made from a seed; all are well-formed.
 */
public final class HostileTexts {
    private static final int MAX_PARTS = 24;
    private static final int MAX_RUN = 400;
    private static final int MAX_WORD = 9;

    /** First and last code point of scripts and symbols. */
    private static final int[][] RANGES = {
        {'a', 'z'},
        {'A', 'Z'},
        {'a', 'z'},
        {0xC0, 0x24F},
        {0x250, 0x2FF},
        {0x300, 0x36F},
        {0x370, 0x3FF},
        {0x400, 0x52F},
        {0x531, 0x58A},
        {0x591, 0x5F4},
        {0x600, 0x6FF},
        {0x900, 0x97F},
        {0x980, 0x9FE},
        {0xB80, 0xBFA},
        {0xE01, 0xE5B},
        {0xF00, 0xFD4},
        {0x1000, 0x109F},
        {0x10A0, 0x10FF},
        {0x1100, 0x11FF},
        {0x1200, 0x137C},
        {0x13A0, 0x13FD},
        {0x1780, 0x17F9},
        {0x1E00, 0x1FFF},
        {0x2000, 0x206F},
        {0x2070, 0x20CF},
        {0x2100, 0x214F},
        {0x2150, 0x218B},
        {0x2190, 0x2BFF},
        {0x3000, 0x303F},
        {0x3040, 0x30FF},
        {0x3400, 0x4DBF},
        {0x4E00, 0x9FFF},
        {0xA000, 0xA4CF},
        {0xAC00, 0xD7A3},
        {0xE000, 0xE0FF},
        {0xF900, 0xFAFF},
        {0xFB00, 0xFDFF},
        {0xFE00, 0xFE2F},
        {0xFF00, 0xFFEF},
        {0x1F1E6, 0x1F1FF},
        {0x1F300, 0x1FAFF},
        {0x1D400, 0x1D7FF},
        {0x10400, 0x104FF},
        {0x12000, 0x123FF},
        {0x20000, 0x2A6DF},
        {0xE0000, 0xE01EF},
        {0x1, 0x7F},
        {0x80, 0xFF},
    };

    private static final String BLANKS =
            " \t\n\r\f\u000b\u001c\u001f\u0085\u00a0\u1680\u2003\u2028\u2029\u200b\u3000\ufeff";
    private static final String PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~¡«»—…‘’“”、。「」";

    private static final List<String> SNIPPETS = List.of(
            "The quick brown fox can't, won't and DON'T; it's we'll they've I'd you're I'm",
            "'S 'T 'RE 'Ve 'M 'LL 'D '\u017f \u2019s 'x it''s",
            "public static void main(String[] args) {\n\tSystem.out.printf(\"%d\\n\", 0x1F);\n}\n",
            "def f(x):\n    return {**x, 'a': [i for i in range(10) if i % 2]}\n\n\n    # end\r\n",
            "https://example.org/a/b?c=d&e=%20f#g user.name+tag@example.com",
            "1,234,567.89 3.14e-10 0xDEADBEEF 2026-11-29T12:34:56Z ½ ² Ⅷ ٣٤٥ १२३",
            "{\"role\":\"user\",\"content\":null,\"n\":[1,2.5,-3],\"t\":true}",
            "SELECT * FROM t WHERE a<>'b' -- c\n/* d */;",
            "dGhlIHF1aWNrIGJyb3duIGZveA== 9f86d081884c7d659a2feaa0c55ad015",
            "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67\ud83c\udffd \ud83c\udde9\ud83c\uddea \u2764\ufe0f\u0301",
            "A\u030a e\u0301 q\u0323\u0307 q\u0307\u0323 \u1100\u1161\u11a8 \u212b \ufb01 \u0958",
            "CamelCaseHTTPServer snake_case_name kebab-case ALLCAPS aBcDeF",
            "<b>bold</b>&nbsp;<!-- x --> | a | b |\n|---|:-:|\n");

    private final SplittableRandom random;
    private final List<String> added;

    private HostileTexts(long seed, List<String> added) {
        this.random = new SplittableRandom(seed);
        this.added = List.copyOf(added);
    }

    /**
     * Makes texts.
     *
     * @param added contents of added tokens to mix in; may be empty
     */
    public static List<String> make(long seed, int count, List<String> added) {
        var texts = new HostileTexts(seed, added);
        List<String> made = new ArrayList<>(SNIPPETS);
        while (made.size() < count) {
            made.add(texts.next());
        }
        return made.subList(0, count);
    }

    private String next() {
        var text = new StringBuilder();
        int parts = 1 + random.nextInt(MAX_PARTS);
        for (int i = 0; i < parts; i++) {
            part(text);
        }
        return text.toString();
    }

    private void part(StringBuilder text) {
        switch (random.nextInt(10)) {
            case 0 -> text.append(SNIPPETS.get(random.nextInt(SNIPPETS.size())));
            case 1 -> times(text, MAX_WORD, BLANKS);
            case 2 -> times(text, MAX_WORD, PUNCTUATION);
            case 3 -> times(text, MAX_WORD, "0123456789");
            case 4 -> run(text);
            case 5 -> token(text);
            case 6 -> text.append(' ');
            default -> word(text);
        }
    }

    private void times(StringBuilder text, int most, String characters) {
        int length = 1 + random.nextInt(most);
        for (int i = 0; i < length; i++) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
    }

    private void word(StringBuilder text) {
        int[] range = RANGES[random.nextInt(RANGES.length)];
        if (random.nextBoolean()) {
            text.append(' ');
        }
        int length = 1 + random.nextInt(MAX_WORD);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(range[0] + random.nextInt(range[1] - range[0] + 1));
        }
    }

    /** One or two characters over and over. */
    private void run(StringBuilder text) {
        var unit = new StringBuilder();
        if (random.nextBoolean()) {
            times(unit, 2, BLANKS + PUNCTUATION + "aA0");
        } else {
            int[] range = RANGES[random.nextInt(RANGES.length)];
            unit.appendCodePoint(range[0] + random.nextInt(range[1] - range[0] + 1));
        }
        text.repeat(unit, 1 + random.nextInt(random.nextInt(4) == 0 ? MAX_RUN : MAX_WORD));
    }

    /** An added token, or most of one. */
    private void token(StringBuilder text) {
        if (added.isEmpty()) {
            text.append("<|x|>");
            return;
        }
        String token = added.get(random.nextInt(added.size()));
        boolean broken = random.nextInt(4) == 0 && token.codePointCount(0, token.length()) > 1;
        text.append(broken ? token.substring(0, token.offsetByCodePoints(0, 1)) : token);
    }
}
