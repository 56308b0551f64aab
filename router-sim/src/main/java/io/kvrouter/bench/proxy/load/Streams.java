package io.kvrouter.bench.proxy.load;

import io.kvrouter.bench.client.Call;
import io.kvrouter.bench.client.Head;
import io.kvrouter.bench.client.Ingress;
import io.kvrouter.bench.client.Outcome;
import io.kvrouter.bench.proxy.peer.Event;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/** Streams that run at once, and how many of their events have come. Confined to the client's thread. */
public final class Streams {
    private final Requests requests;
    private final int count;
    private final long bytesOfEach;
    private final Delays delays = new Delays();
    private final CompletableFuture<Void> open = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private long bytes;
    private int opened;
    private int ended;
    private int failed;

    /**
     * So many streams.
     *
     * @param events of each
     */
    public Streams(Requests requests, int count, int events) {
        this.requests = requests;
        this.count = count;
        this.bytesOfEach = (long) events * Event.BYTES + Event.DONE_BYTES;
    }

    /** Asks for all of them. */
    public void begin(Ingress clients) {
        for (int i = 0; i < count; i++) {
            clients.send(new Stream());
        }
    }

    /** Completed when each has its first event, or has ended. */
    public CompletableFuture<Void> open() {
        return open;
    }

    /** Completed when all have ended. */
    public CompletableFuture<Void> over() {
        return over;
    }

    /** Those that are not whole. */
    public int failed() {
        return failed;
    }

    /** So far, over all of them. */
    public long events() {
        return bytes / Event.BYTES;
    }

    Delays delays() {
        return delays;
    }

    private final class Stream implements Call {
        private long came;

        @Override
        public byte[] request() {
            return requests.next();
        }

        @Override
        public void part(Head head, ByteBuf body) {
            if (came == 0) {
                opened();
            }
            delays.read(body, came);
            came += body.readableBytes();
            bytes += body.readableBytes();
        }

        private void opened() {
            opened++;
            if (opened == count) {
                open.complete(null);
            }
        }

        @Override
        public void ended(Outcome outcome) {
            if (came == 0) {
                opened();
            }
            boolean whole =
                    outcome instanceof Outcome.Answered answer && answer.head().good() && came == bytesOfEach;
            failed += whole ? 0 : 1;
            ended++;
            if (ended == count) {
                over.complete(null);
            }
        }
    }
}
