package io.kvrouter.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a key: what is kept of it. No salt and no slow function, because keys are 256 random bits: nobody tries
 * them all, with or without a table, and each request has to be looked up in microseconds. A key that a person made up
 * would need both.
 */
public final class KeyHash {
    private static final Pattern TEXT = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final String PREFIX = "sha256:";

    private final byte[] digest;

    private KeyHash(byte[] digest) {
        this.digest = digest;
    }

    /** Of a key, as its holder sends it. */
    public static KeyHash of(String key) {
        try {
            return new KeyHash(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** As {@link #text} writes it. The message of what it throws leaves the text out, which may be a key. */
    public static KeyHash parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException("a key (expected: its hash, sha256: and 64 digits of 0-9 a-f)");
        }
        return new KeyHash(HexFormat.of().parseHex(text, PREFIX.length(), text.length()));
    }

    /** {@code sha256:} and 64 hex digits. */
    public String text() {
        return PREFIX + HexFormat.of().formatHex(digest);
    }

    /** Compares in a time that says nothing of how much of the two is alike. */
    public boolean matches(KeyHash other) {
        return MessageDigest.isEqual(digest, other.digest);
    }
}
