package io.kvrouter.bench.sessions.load;

import java.util.PrimitiveIterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** One turn of each of some sessions, as fast as so many at a time go. */
public final class ClosedRun {
    private final TurnClient client;
    private final PrimitiveIterator.OfInt sessions;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final AtomicInteger done = new AtomicInteger();
    private int running;

    private ClosedRun(TurnClient client, PrimitiveIterator.OfInt sessions) {
        this.client = client;
        this.sessions = sessions;
    }

    /** Starts it. */
    public static ClosedRun start(TurnClient client, PrimitiveIterator.OfInt sessions, int concurrency) {
        var run = new ClosedRun(client, sessions);
        client.loop().execute(() -> {
            for (int i = 0; i < concurrency; i++) {
                run.next();
            }
            run.endIfOver();
        });
        return run;
    }

    private void next() {
        while (sessions.hasNext()) {
            int session = sessions.nextInt();
            if (client.book().begin(session)) {
                running++;
                client.begin(new Turn(session, System.nanoTime(), this::ended));
                return;
            }
        }
    }

    private void ended() {
        running--;
        done.incrementAndGet();
        next();
        endIfOver();
    }

    private void endIfOver() {
        if (running == 0 && !sessions.hasNext()) {
            over.complete(null);
        }
    }

    /** Turns that have ended. */
    public int done() {
        return done.get();
    }

    public CompletableFuture<Void> over() {
        return over;
    }
}
