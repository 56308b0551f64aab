package io.kvrouter.bench.sessions.load;

import io.kvrouter.bench.client.Call;
import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.client.Head;
import io.kvrouter.bench.client.Outcome;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Sends turns through random nodes, as clients behind a load balancer do: a node that refuses a connect, or that the
 * health check finds down, gets nothing, and the turn that it refused goes to another. An answer that breaks off is not
 * asked for again. All on one thread; public methods may be called from any.
 */
public final class TurnClient implements AutoCloseable {
    private static final long NANOS_A_MS = 1_000_000;
    private static final long BETWEEN_TRIES_MS = 100;
    private static final String BODY = "{\"model\":\"sim-model\",\"max_tokens\":1,\"messages\":["
            + "{\"role\":\"user\",\"content\":\"Which river flows through Basel?\"}]}";
    private static final String HEAD =
            "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: "
                    + BODY.length() + "\r\nx-session-id: ";

    private final ClientThread thread;
    private final SessionBook book;
    private final RandomGenerator random;
    private final long startedNanos = System.nanoTime();
    private final List<Target> targets = new ArrayList<>();
    private final Map<String, Integer> workers = new LinkedHashMap<>();
    private Tally tally = new Tally();
    private int underWay;

    public TurnClient(ClientThread thread, SessionBook book, RandomGenerator random) {
        this.thread = thread;
        this.book = book;
        this.random = random;
    }

    /** Sends to this node too. */
    public void add(URI api) {
        onLoop(() -> targets.add(new Target(api, thread)));
    }

    /** Whether this node is struck by a fault: what it has in hand is counted apart. */
    public void strike(URI api, boolean struck) {
        onLoop(() -> {
            targets.stream().filter(t -> t.is(api)).forEach(t -> t.strike(struck));
            return true;
        });
    }

    /** What a health check found. */
    public void health(URI api, boolean up) {
        loop().execute(() -> targets.stream().filter(t -> t.is(api)).forEach(t -> t.up(up)));
    }

    /** What became of the turns since this was last called. */
    public Tally tally() {
        return onLoop(() -> {
            Tally over = tally;
            tally = new Tally();
            return over;
        });
    }

    /** Asks the book on the client's own thread. */
    public <T> T ask(Supplier<T> question) {
        return onLoop(question);
    }

    /** Ms since this client was made, as the book has them. */
    public int nowMs() {
        return (int) ((System.nanoTime() - startedNanos) / NANOS_A_MS);
    }

    /** Number of a worker by its id, as {@link SessionBook#workerOf} tells. */
    public int worker(String id) {
        return onLoop(() -> number(id));
    }

    /** Turns that are still not answered count as failed. */
    public void abandon() {
        onLoop(() -> {
            for (int i = 0; i < underWay; i++) {
                tally.failed("not answered");
            }
            return true;
        });
    }

    /** Turns sent whose end is not known. */
    public int underWay() {
        return onLoop(() -> underWay);
    }

    SessionBook book() {
        return book;
    }

    EventLoop loop() {
        return thread.loop();
    }

    RandomGenerator random() {
        return random;
    }

    /** Begins a turn; on this client's thread. */
    void begin(Turn turn) {
        underWay++;
        dispatch(turn);
    }

    /** To a random node that is up; if none is, soon again. */
    void dispatch(Turn turn) {
        List<Target> up = targets.stream().filter(Target::up).toList();
        if (up.isEmpty()) {
            Runnable again = () -> dispatch(turn);
            var unused = loop().schedule(again, BETWEEN_TRIES_MS, TimeUnit.MILLISECONDS);
        } else {
            Target target = up.get(random.nextInt(up.size()));
            target.ingress().send(new Sent(turn, target));
        }
    }

    /** A turn at the node that it was sent to. */
    private final class Sent implements Call {
        private final Turn turn;
        private final Target target;

        Sent(Turn turn, Target target) {
            this.turn = turn;
            this.target = target;
        }

        @Override
        public byte[] request() {
            return (HEAD + book.id(turn.session()) + "\r\n\r\n" + BODY).getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void ended(Outcome outcome) {
            switch (outcome) {
                case Outcome.Answered(var head) -> answered(turn, head, target);
                case Outcome.Unanswered.NOT_SENT -> dispatch(turn);
                case Outcome.Unanswered.NOT_CONNECTED -> refused(turn, target);
                case Outcome.Unanswered.BROKEN_OFF -> broken(turn, target);
            }
        }
    }

    private void answered(Turn turn, Head head, Target target) {
        tally.answered(head, System.nanoTime() - turn.dueNanos(), target.struck());
        if (head.good()) {
            book.answered(turn.session(), number(head.worker()), head.decision(), nowMs());
        } else {
            book.failed(turn.session());
        }
        end(turn);
    }

    private void refused(Turn turn, Target target) {
        tally.refused();
        target.up(false);
        dispatch(turn);
    }

    private void broken(Turn turn, Target target) {
        if (target.struck()) {
            tally.lost();
        } else {
            tally.failed("broken off");
        }
        book.failed(turn.session());
        end(turn);
    }

    private void end(Turn turn) {
        underWay--;
        turn.atEnd().run();
    }

    private int number(String workerId) {
        return workers.computeIfAbsent(workerId, id -> workers.size());
    }

    private <T> T onLoop(Supplier<T> action) {
        return CompletableFuture.supplyAsync(action, loop()).join();
    }

    @Override
    public void close() {
        thread.close();
    }
}
