package io.kvrouter.bench.fuzz;

import io.kvrouter.bench.faults.LoudLog;
import io.kvrouter.bench.faults.NodeHere;
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
import java.util.stream.Collectors;

/** Mutated requests to one node, whose engines answer mutated answers. All of it is drawn from a seed. */
public final class FuzzBench {
    private static final int CLIENTS = 512;
    private static final int ENGINES = 3;
    private static final int SHOWN = 5;
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Dialect HTTP1 = new Http1();
    private static final Dialect HTTP2 = new Http2();

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

    /** One in four by HTTP/2. */
    private void one(RandomGenerator random) {
        RightRequest right = RightRequest.ALL.get(random.nextInt(RightRequest.ALL.size()));
        boolean http2 = random.nextInt(4) == 0;
        Dialect dialect = http2 ? HTTP2 : HTTP1;
        byte[] request = dialect.mutated(right, random);
        OddClient.Ended ended = OddClient.send(http2 ? node.http2Port() : node.port(), request, dialect);
        Objects.requireNonNull(ends.get(ended.how()), "end").incrementAndGet();
        if ((ended.how() == End.FAILED || ended.how() == End.STUCK) && bad.size() < SHOWN) {
            bad.add("--- %s: sent %s\n--- read %s\n---\n"
                    .formatted(
                            ended.how(),
                            shown(new String(request, StandardCharsets.ISO_8859_1)),
                            shown(ended.answer())));
        }
    }

    /** With what can't be seen in hexadecimal digits. */
    private static String shown(String bytes) {
        return bytes.codePoints()
                .mapToObj(code -> (code >= ' ' && code < 127) || code == '\n'
                        ? Character.toString(code)
                        : "\\x%02x".formatted(code))
                .collect(Collectors.joining());
    }
}
