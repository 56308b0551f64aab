package io.kvrouter.bench.patience;

import io.kvrouter.bench.faults.client.Wire;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Clients of one node that give up after a while. Their connections are kept until the close. */
public final class Clients implements AutoCloseable {
    private static final double NANOS = 1e9;

    private final int port;
    private final Completions requests;
    private final Duration patience;
    private final ConcurrentLinkedDeque<Wire> idle = new ConcurrentLinkedDeque<>();

    /** @param patience for each request, from when it was due */
    public Clients(int port, Completions requests, Duration patience) {
        this.port = port;
        this.requests = requests;
        this.patience = patience;
    }

    /** So many clients at a time, each with its next request as soon as it has an answer. */
    public Answers closed(int clients, Duration time) throws InterruptedException {
        var answers = new Answers();
        join(start(clients, System.nanoTime() + time.toNanos(), answers));
        return answers;
    }

    /**
     * Starts so many clients, each with its next request as soon as it has an answer; a thread ends with the last answer
     * of its client.
     *
     * @param until by {@link System#nanoTime}; later no request is sent
     */
    public List<Thread> start(int clients, long until, Answers answers) {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            all.add(Thread.startVirtualThread(() -> {
                for (long now = System.nanoTime(); now - until < 0; now = System.nanoTime()) {
                    request(answers, now);
                }
            }));
        }
        return all;
    }

    /** So many requests a second, whatever becomes of those before. Returns when all of them are over. */
    public Answers open(double rate, Duration time) throws InterruptedException {
        var answers = new Answers();
        long began = System.nanoTime();
        long count = Math.round(rate * time.toMillis() / 1e3);
        List<Thread> all = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            long due = began + (long) (i / rate * NANOS);
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            all.add(Thread.startVirtualThread(() -> request(answers, due)));
        }
        join(all);
        return answers;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** One request; how long it took if it was answered well, else -1. */
    public long request(Answers answers, long due) {
        Wire wire = idle.pollFirst();
        try {
            wire = wire == null ? new Wire(port, (int) patience.toMillis()) : wire;
            wire.send(requests.next());
            Wire.Head head = wire.head();
            wire.body(head);
            idle.addFirst(wire);
            return count(answers, head, due, System.nanoTime());
        } catch (SocketTimeoutException e) {
            answers.other("gave up");
        } catch (IOException e) {
            answers.other("broken off");
        }
        close(wire);
        return -1;
    }

    private long count(Answers answers, Wire.Head head, long due, long ended) {
        if (head.status() != 200) {
            answers.other(head.status() + " " + head.reason());
            return -1;
        }
        if (ended - due > patience.toNanos()) { // it was sent late, because this machine was busy
            answers.other("gave up");
            return -1;
        }
        answers.good(due, ended);
        return ended - due;
    }

    private static void close(@Nullable Wire wire) {
        try {
            if (wire != null) {
                wire.close();
            }
        } catch (IOException e) {
            // it is gone
        }
    }

    /** When no request is under way. */
    @Override
    public void close() {
        idle.forEach(Clients::close);
        idle.clear();
    }
}
