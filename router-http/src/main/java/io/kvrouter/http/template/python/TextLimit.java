package io.kvrouter.http.template.python;

import io.kvrouter.http.template.value.PythonError;

/** How long a text may become: templates come from outside, and a few characters can ask for gigabytes. */
public final class TextLimit {
    /** In UTF-16 units: some 8 M tokens. */
    public static final int LENGTH = 1 << 25;

    private TextLimit() {}

    /** Refuses what would be longer. */
    public static int check(long length) {
        if (length > LENGTH) {
            throw PythonError.limit("a text or list of length " + length + " (expected: at most " + LENGTH + ")");
        }
        return (int) length;
    }
}
