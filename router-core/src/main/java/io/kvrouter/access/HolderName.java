package io.kvrouter.access;

import java.util.regex.Pattern;

/** Names of callers and operators: short and plain, because they stand in logs and in labels of metrics. */
public final class HolderName {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private HolderName() {}

    /** Its message leaves the name out: who mistakes a key for a name does not find it in a log. */
    public static void require(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "name of " + name.length() + " characters (expected: 1 to 64 of A-Z a-z 0-9 . _ -)");
        }
    }
}
