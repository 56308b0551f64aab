package io.kvrouter.booking;

/** Who asked for a booking, and may have gone meanwhile. */
public interface Asker {
    /** Hears the answer; false if nobody waits for it any more. */
    boolean hears(SelectionAnswer answer);

    /** There will be no answer: a bug. */
    void fails(RuntimeException bug);
}
