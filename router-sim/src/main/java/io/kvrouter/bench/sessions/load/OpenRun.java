package io.kvrouter.bench.sessions.load;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Turns of random sessions at a fixed rate, whatever the answers do: a turn that is sent late, because the machine was
 * busy, counts from when it was due. Confined to the client's thread.
 */
public final class OpenRun {
    private static final double NANOS = 1e9;
    private static final int TRIES = 20;

    private final TurnClient client;
    private final int rate;
    private final double newShare;
    private final long beganNanos = System.nanoTime();
    private final Future<?> ticks;
    private long sent;

    private OpenRun(TurnClient client, int rate, double newShare) {
        this.client = client;
        this.rate = rate;
        this.newShare = newShare;
        this.ticks = client.loop().scheduleAtFixedRate(this::tick, 0, 1, TimeUnit.MILLISECONDS);
    }

    /**
     * Starts it.
     *
     * @param rate turns a second
     * @param newShare how many of them are first turns of sessions that take another one's place, which is heard of no
     *     more: so that there are always bindings just made
     */
    public static OpenRun start(TurnClient client, int rate, double newShare) {
        return new OpenRun(client, rate, newShare);
    }

    private void tick() {
        long due = (long) ((System.nanoTime() - beganNanos) / NANOS * rate);
        while (sent < due) {
            send(beganNanos + (long) (sent * (NANOS / rate)));
            sent++;
        }
    }

    private void send(long dueNanos) {
        var book = client.book();
        for (int i = 0; i < TRIES; i++) {
            int session = client.random().nextInt(book.size());
            if (book.begin(session)) {
                if (client.random().nextDouble() < newShare) {
                    book.renew(session);
                }
                client.begin(new Turn(session, dueNanos, () -> {}));
                return;
            }
        }
    }

    /** Sends no more; what is under way ends by itself. */
    public void stop() {
        ticks.cancel(false);
    }
}
