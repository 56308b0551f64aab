package io.kvrouter.bench.overload;

import io.kvrouter.bench.faults.client.Wire;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Clients that give up after a while. Each prompt is one that no other client sends. */
final class Clients {
    private static final double NANOS = 1e9;
    private static final int PROMPT_WORDS = 400;
    private static final int ANSWER_TOKENS = 32;

    private final int port;
    private final Duration patience;
    private final AtomicLong number = new AtomicLong();
    private final ConcurrentLinkedDeque<Wire> idle = new ConcurrentLinkedDeque<>();

    Clients(int port, Duration patience) {
        this.port = port;
        this.patience = patience;
    }

    /** So many clients at a time, each with its next request as soon as it has an answer. */
    Answers closed(int clients, Duration time) throws InterruptedException {
        var answers = new Answers();
        long end = System.nanoTime() + time.toNanos();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            all.add(Thread.startVirtualThread(() -> {
                for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                    request(answers, now);
                }
            }));
        }
        join(all);
        return answers;
    }

    /** So many requests a second, whatever becomes of those before. Returns when all of them are over. */
    Answers open(double rate, Duration time) throws InterruptedException {
        var answers = new Answers();
        long began = System.nanoTime();
        long requests = Math.round(rate * time.toMillis() / 1e3);
        List<Thread> all = new ArrayList<>();
        for (long i = 0; i < requests; i++) {
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
    long request(Answers answers, long due) {
        Wire wire = idle.pollFirst();
        try {
            wire = wire == null ? new Wire(port, (int) patience.toMillis()) : wire;
            wire.send(bytes());
            Wire.Head head = wire.head();
            wire.body(head);
            idle.addFirst(wire);
            return count(answers, head, System.nanoTime() - due);
        } catch (SocketTimeoutException e) {
            answers.other("gave up");
        } catch (IOException e) {
            answers.other("broken off");
        }
        close(wire);
        return -1;
    }

    private long count(Answers answers, Wire.Head head, long nanos) {
        if (head.status() != 200) {
            answers.other(head.status() + " " + head.reason());
            return -1;
        }
        if (nanos > patience.toNanos()) { // it was sent late, because this machine was busy
            answers.other("gave up");
            return -1;
        }
        answers.good(nanos);
        return nanos;
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

    private byte[] bytes() {
        long own = number.incrementAndGet();
        String body = "{\"model\":\"sim-model\",\"prompt\":\"" + ("w" + own + " ").repeat(PROMPT_WORDS)
                + "\",\"max_tokens\":" + ANSWER_TOKENS + "}";
        return ("POST /v1/completions HTTP/1.1\r\nHost: router\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
