package io.kvrouter.booking;

import io.kvrouter.kv.BlockHashes;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.kv.fleet.FilledView;
import io.kvrouter.kv.index.KvCache;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.index.Tier;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerKey;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * 1,024 workers that hold 10 million blocks of 64 tokens in all: prompts of one length that begin with 4,096 tokens which
 * all have in common and 15,000 that 32 applications have. Every fourth is on a second worker too, up to its half.
 */
final class FilledFleet {
    static final Demand DEMAND = new Demand(Registration.DEFAULT_GROUP, "m", Set.of());
    static final int BLOCK_SIZE = 64;
    private static final long BLOCKS = 10_000_000;
    private static final int COMMON = 4_096;
    private static final int OF_APPLICATION = 15_000;
    private static final int APPLICATIONS = 32;

    private final int tokens;
    private final int prompts;
    private final Fleet fleet;
    private final CacheView view;

    FilledFleet(int tokens, int workerCount) {
        this.tokens = tokens;
        this.prompts = (int) (BLOCKS * BLOCK_SIZE / Math.max(BLOCK_SIZE, tokens - COMMON - OF_APPLICATION));
        List<Worker> workers = new ArrayList<>();
        List<KvCache> caches = new ArrayList<>();
        var index = new KvIndex(1L << 40, 0x5EED);
        var filled = new FilledView(BLOCK_SIZE, index);
        for (int i = 0; i < workerCount; i++) {
            workers.add(worker(i));
            caches.add(index.open());
            filled.put(WorkerKey.of(workers.get(i), 0), caches.get(i));
        }
        fleet = new Fleet(workers);
        view = filled.view();
        for (int prompt = 0; prompt < prompts; prompt++) {
            var random = new SplittableRandom(prompt);
            long[] blocks = BlockHashes.ofTokens(ids(prompt), BLOCK_SIZE, BlockHashes.seed("", ""));
            store(caches.get(random.nextInt(workerCount)), blocks);
            if (prompt % 4 == 0) {
                store(caches.get(random.nextInt(workerCount)), Arrays.copyOf(blocks, blocks.length / 2));
            }
        }
    }

    /** Engine hashes are those of the sequence: which they are makes no difference to a selection. */
    private static void store(KvCache cache, long[] blocks) {
        cache.storeFirst(Tier.DEVICE, BlockHashes.chain(blocks), blocks);
    }

    private static Worker worker(int number) {
        var facts = new EngineFacts(
                Set.of("m"),
                Set.of(),
                Optional.of(BLOCK_SIZE),
                Optional.of(16_384L),
                Optional.of(1),
                Optional.of(1L),
                Optional.empty());
        var registration = new Registration(
                new WorkerId("w" + number),
                URI.create("http://127.0.0.1:" + (20_000 + number)),
                Registration.DEFAULT_GROUP,
                facts,
                Map.of(),
                false,
                Registration.Origin.API);
        return new Worker(registration, EngineFacts.UNKNOWN, Worker.Health.UP, List.of());
    }

    private int[] ids(int prompt) {
        int[] ids = new int[tokens];
        for (int i = 0; i < tokens; i++) {
            long owner = i < COMMON ? -1 : i < COMMON + OF_APPLICATION ? prompt % APPLICATIONS : prompt + 1_000L;
            ids[i] = (int) (mix(owner * 0x1_0000_0001L + i) & 0x1FFFF);
        }
        return ids;
    }

    private static long mix(long value) {
        long z = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return z ^ (z >>> 31);
    }

    int prompts() {
        return prompts;
    }

    /** A prompt that one worker or two hold, hashed as it is when it reaches the desk. */
    Prompt prompt(int number) {
        Prompt prompt = Prompt.ofTokens(ids(number), tokens, "", "");
        prompt.chain(BLOCK_SIZE);
        return prompt;
    }

    Fleet fleet() {
        return fleet;
    }

    CacheView view() {
        return view;
    }
}
