package io.kvrouter.http.node;

import io.kvrouter.http.testing.Peer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that answers when it is told to, and counts how many requests it has at a time. */
final class GatedEngine implements AutoCloseable {
    private final TestEngine engine;
    private final Semaphore answers = new Semaphore(0);
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    GatedEngine(TestRouter router, String model, String id) throws Exception {
        engine = new TestEngine(model);
        engine.follow(this::serve);
        router.register(engine.url(), ",\"id\":\"" + id + "\"");
    }

    private void serve(Peer peer, Peer.Message request) throws IOException {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        bodies.add(request.text());
        answers.acquireUninterruptibly();
        now.decrementAndGet();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }

    /** From now on it answers at once, also who waits. */
    void open() {
        answers.release(1_000_000);
    }

    /** From now on it answers nothing by itself. */
    void shut() {
        answers.drainPermits();
        most.set(0);
        bodies.clear();
    }

    void answer(int requests) {
        answers.release(requests);
    }

    int now() {
        return now.get();
    }

    int most() {
        return most.get();
    }

    /** The bodies that it was sent, in order. */
    List<String> bodies() {
        return bodies;
    }

    TestEngine engine() {
        return engine;
    }

    @Override
    public void close() {
        open();
        engine.close();
    }
}
