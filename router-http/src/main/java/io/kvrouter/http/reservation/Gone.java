package io.kvrouter.http.reservation;

import org.jspecify.annotations.Nullable;

/** Whether a call's client is gone, and what is then to be done, whichever comes first. */
public final class Gone {
    private @Nullable Runnable action;
    private boolean gone;

    /** Does it when the client goes, or now if it is gone. */
    void then(Runnable undo) {
        if (!keep(undo)) {
            undo.run();
        }
    }

    private synchronized boolean keep(Runnable undo) {
        action = undo;
        return !gone;
    }

    /** The client is gone. */
    public void now() {
        Runnable undo = take();
        if (undo != null) {
            undo.run();
        }
    }

    private synchronized @Nullable Runnable take() {
        gone = true;
        return action;
    }
}
