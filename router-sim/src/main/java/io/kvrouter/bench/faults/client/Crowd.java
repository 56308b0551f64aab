package io.kvrouter.bench.faults.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Clients that send at a given rate over all, whatever becomes of their requests, some of them many on one connection. What
 * each does is drawn from the seed.
 */
public final class Crowd {
    private static final int PATIENCE_MS = 30_000;
    private static final int SESSIONS = 500;
    private static final double WITH_SESSION = 0.5;
    private static final double STREAMED = 0.5;
    private static final int LONGEST_ANSWER = 60;
    private static final int LONGEST_PROMPT = 8_000;
    private static final int LONGEST_WAIT_MS = 30;
    private static final int REQUESTS_A_CONNECTION = 20;
    private static final long BETWEEN_SLOW_READS_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final double NANOS = 1e9;

    private final int port;
    private final Tally tally;
    private final boolean badly;

    /**
     * A crowd that has not begun.
     *
     * @param port of the API
     * @param badly they leave and dawdle
     */
    public Crowd(int port, Tally tally, boolean badly) {
        this.port = port;
        this.tally = tally;
        this.badly = badly;
    }

    /** Sends for so long, and waits for all answers. The name begins all request ids. */
    public void run(String name, int rate, double seconds, long seed) throws InterruptedException {
        var tickets = new Tickets(new AtomicLong(), Math.round(rate * seconds), rate, System.nanoTime());
        var random = new SplittableRandom(seed);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < Math.max(8, rate); i++) {
            var own = random.split();
            clients.add(Thread.startVirtualThread(() -> {
                for (long ticket = tickets.next(); tickets.left(ticket); ) {
                    ticket = connect(name, ticket, own, tickets);
                }
            }));
        }
        for (Thread client : clients) {
            client.join();
        }
    }

    /** Requests by their numbers, each when it is time for it. */
    private record Tickets(AtomicLong given, long all, int rate, long began) {
        long next() {
            long ticket = given.getAndIncrement();
            if (left(ticket)) {
                long at = began + (long) (ticket / (double) rate * NANOS);
                LockSupport.parkNanos(at - System.nanoTime());
            }
            return ticket;
        }

        boolean left(long ticket) {
            return ticket < all;
        }
    }

    /** Sends requests on one connection until it ends; returns the next ticket. */
    private long connect(String name, long first, RandomGenerator random, Tickets tickets) {
        long ticket = first;
        try (Wire wire = new Wire(port, PATIENCE_MS)) {
            for (int i = random.nextInt(REQUESTS_A_CONNECTION); i >= 0 && tickets.left(ticket); i--) {
                boolean goesOn = request(wire, name + "-" + ticket, random);
                ticket = tickets.next();
                if (!goesOn) {
                    return ticket;
                }
            }
            return ticket;
        } catch (IOException e) {
            tally.count("no connection");
            return tickets.next();
        }
    }

    private boolean request(Wire wire, String id, RandomGenerator random) {
        Manner manner = badly ? Manner.any(random) : Manner.PATIENT;
        boolean waits = manner == Manner.PATIENT || manner == Manner.SLOW;
        tally.sent();
        try {
            byte[] request = bytes(id, random);
            if (waits) {
                wire.send(request);
                return answer(wire, id, manner);
            }
            leave(wire, manner, request, random);
        } catch (SocketTimeoutException e) {
            tally.stuck(id);
        } catch (IOException e) {
            if (waits) {
                tally.failed(id, "broken off");
            }
        }
        return false;
    }

    private boolean answer(Wire wire, String id, Manner manner) throws IOException {
        Wire.Head head = wire.head();
        for (int i = 0; manner == Manner.SLOW && i < 10; i++) {
            LockSupport.parkNanos(BETWEEN_SLOW_READS_NANOS);
        }
        wire.body(head);
        if (head.status() == 200) {
            tally.count("200");
        } else {
            tally.failed(id, head.status() + " " + head.reason());
        }
        return true;
    }

    private void leave(Wire wire, Manner manner, byte[] request, RandomGenerator random) throws IOException {
        tally.count("left");
        if (manner == Manner.LEAVES_UNSAID) {
            wire.send(Arrays.copyOf(request, random.nextInt(request.length)));
        } else {
            wire.send(request);
        }
        if (manner == Manner.LEAVES_LATE) {
            wire.head();
            wire.some(1 + random.nextInt(200));
        } else {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_WAIT_MS)));
        }
        if (manner == Manner.HALF_CLOSES) {
            wire.endRequests();
            wire.toEnd();
        } else if (random.nextBoolean()) {
            wire.reset();
        }
    }

    private static byte[] bytes(String id, RandomGenerator random) {
        String prompt = "word ".repeat(1 + random.nextInt(LONGEST_PROMPT / 5));
        String body = "{\"model\":\"sim-model\",\"prompt\":\"" + prompt + "\",\"max_tokens\":"
                + (1 + random.nextInt(LONGEST_ANSWER)) + ",\"stream\":" + (random.nextDouble() < STREAMED) + "}";
        String session =
                random.nextDouble() < WITH_SESSION ? "x-session-id: s" + random.nextInt(SESSIONS) + "\r\n" : "";
        return ("POST /v1/completions HTTP/1.1\r\nHost: router\r\nContent-Type: application/json\r\nx-request-id: " + id
                        + "\r\n" + session + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
