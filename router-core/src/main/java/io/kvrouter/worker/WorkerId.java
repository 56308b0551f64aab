package io.kvrouter.worker;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The stable, opaque name of a worker: 1 to 64 letters, digits, dots, dashes or underscores. */
public record WorkerId(String value) implements Comparable<WorkerId> {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int DERIVED_BYTES = 6;

    public WorkerId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("worker id: \"" + value + "\" (expected: 1 to 64 of A-Z a-z 0-9 . _ -)");
        }
    }

    /** The id of a worker that was given none: 12 hex digits of SHA-256 of its normalised URL. */
    public static WorkerId ofUrl(URI normalised) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(normalised.toString().getBytes(StandardCharsets.UTF_8));
            return new WorkerId(HexFormat.of().formatHex(digest, 0, DERIVED_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public int compareTo(WorkerId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
