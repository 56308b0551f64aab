package io.kvrouter.bench.faults;

import io.kvrouter.bench.faults.client.OddClient;
import io.kvrouter.bench.faults.client.OddClient.End;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Mutated requests to one node, whose engines answer mutated answers. All of it is drawn from a seed. */
public final class FuzzBench {
    private static final int CLIENTS = 128;
    private static final int ENGINES = 3;
    private static final int SHOWN = 5;
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final List<byte[]> REQUESTS = List.of(
            post("/v1/completions", "", "{\"model\":\"m\",\"prompt\":\"x\",\"stream\":true}"),
            post("/v1/completions", "x-session-id: s1\r\n", "{\"prompt\":[1,2,3],\"model\":\"m\",\"max_tokens\":5}"),
            post(
                    "/v1/chat/completions",
                    "x-request-id: abc\r\nAuthorization: Bearer x\r\n",
                    "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"a\"},{\"role\":\"user\",\"content\":"
                            + "[{\"type\":\"text\",\"text\":\"b\u00e4\\u00e4\"}]}],\"tools\":[],\"session_id\":\"s2\"}"),
            bytes(String.join(
                    "\r\n",
                    "POST /v1/completions HTTP/1.1",
                    "Host: r",
                    "Content-Type: application/json",
                    "Transfer-Encoding: chunked",
                    "",
                    "1a",
                    "{\"model\":\"m\",\"prompt\":\"y\"}",
                    "0",
                    "",
                    "")),
            bytes("GET /v1/models HTTP/1.1\r\nHost: r\r\n\r\n"),
            bytes("GET /health HTTP/1.1\r\nHost: r\r\nConnection: close\r\n\r\n"));

    private final NodeHere node;
    private final List<String> bad = new CopyOnWriteArrayList<>();
    private final Map<End, AtomicLong> ends = new EnumMap<>(End.class);

    private FuzzBench(NodeHere node) {
        this.node = node;
        for (End end : End.values()) {
            ends.put(end, new AtomicLong());
        }
    }

    /** Sends so many. */
    public static FuzzReport run(long count, long seed) throws InterruptedException {
        List<OddEngine> engines = new ArrayList<>();
        try (var log = LoudLog.listen();
                var node = NodeHere.start(PATIENCE)) {
            for (int i = 0; i < ENGINES; i++) {
                engines.add(new OddEngine(seed + i));
            }
            node.register(engines.stream().map(OddEngine::url).toList());
            return new FuzzBench(node).send(count, seed, log);
        } finally {
            engines.forEach(OddEngine::close);
        }
    }

    private FuzzReport send(long count, long seed, LoudLog log) throws InterruptedException {
        var random = new SplittableRandom(seed);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            var own = random.split();
            long first = i;
            clients.add(Thread.startVirtualThread(() -> {
                for (long request = first; request < count; request += CLIENTS) {
                    one(own);
                }
            }));
        }
        for (Thread client : clients) {
            client.join();
        }
        boolean ended = NodeHere.await(() -> node.metric("kvrouter_upstream_calls") == 0
                && node.metric("kvrouter_requests_in_flight") == 0
                && node.load() == 0);
        Map<End, Long> counts = new EnumMap<>(End.class);
        ends.forEach((end, times) -> counts.put(end, times.get()));
        return new FuzzReport(counts, ended, List.copyOf(bad), log.lines());
    }

    private void one(RandomGenerator random) {
        byte[] request = any(random);
        while (failsBefore(request)) {
            request = any(random);
        }
        OddClient.Ended ended = OddClient.send(node.port(), request);
        Objects.requireNonNull(ends.get(ended.how()), "end").incrementAndGet();
        if ((ended.how() == End.FAILED || ended.how() == End.STUCK) && bad.size() < SHOWN) {
            String sent = new String(request, StandardCharsets.ISO_8859_1);
            bad.add("--- %s: sent %s--- read %s---\n".formatted(ended.how(), sent, ended.answer()));
        }
    }

    private static byte[] any(RandomGenerator random) {
        return Mutations.of(REQUESTS.get(random.nextInt(REQUESTS.size())), random);
    }

    /** Pekko HTTP 1.3.0 fails at chunks in HTTP/1.0, with a 500 and an error in the log, before the router sees them. */
    private static boolean failsBefore(byte[] request) {
        String text = new String(request, StandardCharsets.ISO_8859_1);
        return text.contains(" HTTP/1.0\r\n") && text.contains("chunked");
    }

    private static byte[] post(String path, String headers, String body) {
        return bytes("POST " + path + " HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\n" + headers
                + "Content-Length: " + bytes(body).length + "\r\n\r\n" + body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
