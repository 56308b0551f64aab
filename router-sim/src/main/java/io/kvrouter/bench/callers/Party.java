package io.kvrouter.bench.callers;

import java.util.Locale;

/** The clients of one caller. */
public enum Party {
    /** Many, which want all places and more. */
    GREEDY,
    /** Few. */
    MODEST;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
