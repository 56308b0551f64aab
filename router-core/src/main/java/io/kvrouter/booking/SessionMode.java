package io.kvrouter.booking;

import java.util.Locale;

/** What may move a turn away from its session's worker while that is eligible. */
public enum SessionMode {
    /** Nothing: it stays, however busy the worker is. A worker that pushes back is passed round for this turn. */
    SOFT,
    /** Nothing, and a worker that is busy or pushes back is not passed round either: the client tries again later. */
    HARD,
    /** The cost of staying. Refused at start until that cost exists. */
    SPILL,
    /** There is nothing to move away from: session ids mean nothing. */
    OFF;

    /** The mode of this name. */
    public static SessionMode named(String name) {
        for (SessionMode mode : values()) {
            if (mode.text().equals(name)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("\"" + name + "\" (expected: soft, hard or off)");
    }

    /** Its name, as settings and answers write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
