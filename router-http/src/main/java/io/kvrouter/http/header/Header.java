package io.kvrouter.http.header;

import java.util.Locale;

/**
 * One header field as it goes over the wire. Names keep their case; a value may not hold control characters other than
 * a tab, so that no header can smuggle in another.
 */
public record Header(String name, String value) {
    public Header {
        if (name.isEmpty() || !name.chars().allMatch(Header::isToken)) {
            throw new IllegalArgumentException("header name of " + name.length() + " characters (expected: a token)");
        }
        if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f || c > 0xff)) {
            throw new IllegalArgumentException("value of header " + name + " (expected: Latin-1 without controls)");
        }
    }

    /** Whether this is the field of that name, whatever its case. */
    public boolean is(String other) {
        return name.equalsIgnoreCase(other);
    }

    /** The name in lower case, for looking it up. */
    public String key() {
        return name.toLowerCase(Locale.ROOT);
    }

    private static boolean isToken(int c) {
        return c > ' ' && c < 0x7f && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
}
