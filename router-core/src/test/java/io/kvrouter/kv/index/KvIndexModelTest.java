package io.kvrouter.kv.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.BlockHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random events for some caches: after each, the index answers like maps would. */
class KvIndexModelTest {
    private static final int CACHES = 5;

    private final KvIndex index = new KvIndex(1L << 30, 4711);
    private final List<KvCache> caches = new ArrayList<>();
    private final List<NaiveCache> models = new ArrayList<>();
    private final Overlaps overlaps = new Overlaps();
    private Random random = new Random(0);
    private int alphabet;
    private int longest;

    @ParameterizedTest(name = "seed {0}, {1} events, alphabet {2}, chains up to {3}")
    @CsvSource({
        "1, 2500, 2, 12",
        "2, 2500, 2, 12",
        "3, 2500, 3, 6",
        "4, 2000, 2, 40",
        "5, 500, 1, 600",
        "6, 200, 2, 1400",
        "7, 200, 1, 1400",
        "8, 2500, 4, 4"
    })
    void answersLikeTheModel(int seed, int events, int letters, int length) {
        random = new Random(seed);
        alphabet = letters;
        longest = length;
        for (int i = 0; i < CACHES; i++) {
            caches.add(index.open());
            models.add(new NaiveCache());
        }
        for (int event = 0; event < events; event++) {
            int which = random.nextInt(CACHES);
            String what = apply(which);
            check("seed " + seed + ", event " + event + ": " + what + " on " + which);
        }
        caches.forEach(KvCache::close);
        assertThat(index.blocks()).isZero();
        assertThat(index.runs()).isZero();
    }

    private String apply(int which) {
        KvCache cache = caches.get(which);
        NaiveCache model = models.get(which);
        int dice = random.nextInt(100);
        if (dice < 25) {
            return storeFirst(cache, model);
        } else if (dice < 50) {
            return storeAfter(cache, model);
        } else if (dice < 90) {
            return remove(cache, model);
        } else if (dice < 95) {
            return handOver(which);
        } else if (dice < 98) {
            cache.clear();
            model.clear();
            return "clear";
        }
        cache.close();
        caches.set(which, index.open());
        model.clear();
        assertThat(caches.get(which).number()).isLessThan(CACHES);
        return "close";
    }

    private String storeFirst(KvCache cache, NaiveCache model) {
        long[] blocks = blocks();
        long[] engineHashes = engineHashes(BlockHashes.chain(blocks));
        Tier tier = tier();
        assertThat(cache.storeFirst(tier, engineHashes, blocks)).isEqualTo(KvCache.Stored.STORED);
        model.storeFirst(tier, engineHashes, blocks);
        return "first " + blocks.length + " " + tier;
    }

    private String storeAfter(KvCache cache, NaiveCache model) {
        List<Long> known = model.engineHashes();
        long parent = known.isEmpty() || random.nextInt(20) == 0
                ? random.nextLong()
                : known.get(random.nextInt(known.size()));
        long[] blocks = blocks();
        long[] engineHashes = engineHashes(BlockHashes.chainAfter(model.sequence(parent), blocks));
        Tier tier = tier();
        KvCache.Stored stored = cache.storeAfter(parent, tier, engineHashes, blocks);
        assertThat(stored).isEqualTo(model.knows(parent) ? KvCache.Stored.STORED : KvCache.Stored.UNKNOWN_PARENT);
        if (model.knows(parent)) {
            model.storeAfter(parent, tier, engineHashes, blocks);
        }
        return "after " + blocks.length + " " + tier;
    }

    private String remove(KvCache cache, NaiveCache model) {
        List<Long> leaving = model.engineHashes();
        if (random.nextBoolean()) {
            Collections.shuffle(leaving, random);
        } else {
            leaving.sort((a, b) -> Long.compareUnsigned(model.sequence(a), model.sequence(b)));
        }
        leaving = leaving.subList(0, Math.min(leaving.size(), random.nextInt(longest * 2)));
        if (random.nextInt(4) == 0) {
            leaving = new ArrayList<>(leaving);
            leaving.add(random.nextLong());
        }
        long[] engineHashes = leaving.stream().mapToLong(Long::longValue).toArray();
        Tier tier = tier();
        assertThat(cache.remove(tier, engineHashes)).isEqualTo(model.remove(tier, engineHashes));
        return "remove " + engineHashes.length + " " + tier;
    }

    /** Copies a cache into an index where others are in the way, and goes on with what came out. */
    private String handOver(int which) {
        KvIndex other = new KvIndex(1L << 30, 1);
        KvCache inTheWay = other.open();
        for (int i = 0; i < 3; i++) {
            long[] blocks = blocks();
            inTheWay.storeFirst(tier(), engineHashes(BlockHashes.chain(blocks)), blocks);
        }
        KvCache middle = other.open();
        caches.get(which).export(batch -> assertThat(middle.restore(batch)).isEqualTo(KvCache.Stored.STORED));
        caches.get(which).close();
        caches.set(which, index.open());
        middle.export(batch -> assertThat(caches.get(which).restore(batch)).isEqualTo(KvCache.Stored.STORED));
        return "hand over";
    }

    private void check(String what) {
        long all = 0;
        List<Map<Long, Integer>> held = models.stream().map(NaiveCache::blocks).toList();
        for (int i = 0; i < CACHES; i++) {
            assertThat(caches.get(i).blocks()).as(what).isEqualTo(held.get(i).size());
            all += held.get(i).size();
        }
        assertThat(index.blocks()).as(what).isEqualTo(all);
        for (int i = 0; i < 3; i++) {
            long[] chain = BlockHashes.chain(blocks());
            index.overlaps(chain, overlaps);
            for (int cache = 0; cache < CACHES; cache++) {
                assertThat(overlap(caches.get(cache).number()))
                        .as(what + ", overlap of " + chain.length)
                        .isEqualTo(NaiveCache.overlap(held.get(cache), chain));
            }
        }
    }

    private List<Integer> overlap(int cache) {
        int device = overlaps.device(cache);
        int host = device + overlaps.host(cache);
        return List.of(device, host, host + overlaps.disk(cache));
    }

    private Tier tier() {
        int dice = random.nextInt(10);
        return dice < 6 ? Tier.DEVICE : dice < 8 ? Tier.HOST : Tier.DISK;
    }

    private long[] blocks() {
        long[] blocks = new long[1 + random.nextInt(longest)];
        int fork = random.nextInt(blocks.length + 1); // mostly one trunk, so that chains are shared
        Arrays.setAll(blocks, i -> i < fork ? 0 : random.nextInt(alphabet));
        return blocks;
    }

    /** Mostly one hash for a block; sometimes another for the same block, sometimes one that another block has. */
    private long[] engineHashes(long[] chain) {
        return Arrays.stream(chain)
                .map(sequence -> switch (random.nextInt(50)) {
                    case 0 -> ~sequence;
                    case 1 -> random.nextInt(4);
                    default -> sequence * 31;
                })
                .toArray();
    }
}
