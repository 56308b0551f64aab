package io.kvrouter.http.header;

import java.util.BitSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One header field as it goes over the wire. Names keep their case; a value may not hold control characters other than
 * a tab, so that no header can smuggle in another.
 */
public final class Header {
    private static final BitSet TOKEN = new BitSet();

    static {
        TOKEN.set('!', 0x7f);
        "\"(),/:;<=>?@[\\]{}".chars().forEach(TOKEN::clear);
    }

    private final String name;
    private final String value;
    private final String key;

    public Header(String name, String value) {
        if (!isToken(name)) {
            throw new IllegalArgumentException("header name of " + name.length() + " characters (expected: a token)");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException("value of header " + name + " (expected: Latin-1 without controls)");
        }
        this.name = name;
        this.value = value;
        this.key = name.toLowerCase(Locale.ROOT);
    }

    public String name() {
        return name;
    }

    public String value() {
        return value;
    }

    /** The name in lower case, for looking it up. */
    public String key() {
        return key;
    }

    /** Whether this is the field of that name, whatever its case. */
    public boolean is(String other) {
        return name.equalsIgnoreCase(other);
    }

    private static boolean isToken(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (!TOKEN.get(name.charAt(i))) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Header header && name.equals(header.name) && value.equals(header.value);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + value.hashCode();
    }

    /** Its name alone: values may be keys. */
    @Override
    public String toString() {
        return "Header[" + name + "]";
    }
}
