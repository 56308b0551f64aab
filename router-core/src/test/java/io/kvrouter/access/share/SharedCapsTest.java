package io.kvrouter.access.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedCapsTest {
    private static final String CALLER = "a";
    private static final long LONGEST_WAY = SharedCap.INTERVAL_MS / 2;

    private final SharedCaps caps = new SharedCaps();

    private static int acquired(SharedCaps caps, int cap, int tries, long now) {
        return (int) IntStream.range(0, tries)
                .filter(i -> caps.acquire(CALLER, cap, now))
                .count();
    }

    @Test
    void aloneANodeHasTheWholeCapAtOnceAndNoMore() {
        assertThat(acquired(caps, 20, 50, 0)).isEqualTo(20);
        assertThat(acquired(caps, 20, 50, 10_000)).isZero();
    }

    @Test
    void aPlaceThatIsFreeAgainIsTakenAtOnce() {
        acquired(caps, 1, 1, 0);
        caps.release(CALLER);

        assertThat(acquired(caps, 1, 5, 1)).isEqualTo(1);
    }

    @Test
    void whatOthersClaimIsLeftFree() {
        caps.members(Set.of(7L));
        caps.told(7, Map.of(CALLER, 20, "b", 20));

        assertThat(acquired(caps, 20, 50, 0)).isZero();
    }

    @Test
    void whatANodeClaimedThatIsGoneIsFree() {
        caps.members(Set.of(7L));
        caps.told(7, Map.of(CALLER, 20));

        caps.members(Set.of());

        assertThat(acquired(caps, 20, 50, 0)).isEqualTo(20);
    }

    @Test
    void aCallerOfOneNodeHasAShareAtOnceAndTheRestWithinASecond() {
        caps.members(Set.of(7L, 8L));

        assertThat(acquired(caps, 20, 50, 0)).isEqualTo(7);
        int all = 7;
        for (long now = 10; now <= 1_000; now += 10) {
            all += acquired(caps, 20, 50, now);
        }
        assertThat(all).isBetween(17, 20);
    }

    @Test
    void whoHasNothingAndAsksForNothingClaimsNothing() {
        caps.members(Set.of(7L));
        acquired(caps, 20, 1, 0);
        assertThat(caps.claims(1)).containsExactly(Map.entry(CALLER, 10));

        caps.release(CALLER);

        assertThat(caps.claims(SharedCap.INTERVAL_MS)).isEmpty();
    }

    @Test
    void aLowerCapCountsForTheNextRequests() {
        acquired(caps, 20, 10, 0);
        caps.claims(0);

        assertThat(acquired(caps, 5, 50, 10_000)).isBetween(0, 10);
        caps.claims(20_000);
        assertThat(acquired(caps, 5, 50, 20_000)).isZero();
    }

    /** Nodes that ask at random, hear of one another late and out of step, and never exceed the cap by more. */
    @ParameterizedTest
    @CsvSource({
        "1, 20, 0",
        "2, 1, 1",
        "2, 20, 1",
        "2, 100, 1",
        "3, 5, 2",
        "3, 20, 2",
        "3, 100, 2",
        "5, 20, 4",
        "8, 64, 7"
    })
    void theCapIsExceededByLessThanANodeEach(int nodes, int cap, int excess) {
        int most = LongStream.range(0, 300)
                .mapToInt(seed -> new World(nodes, cap, seed).most())
                .max()
                .orElseThrow();

        assertThat(most).isBetween(cap, cap + excess);
    }

    private static final class World {
        private final SplittableRandom random;
        private final int cap;
        private final List<SharedCaps> nodes = new ArrayList<>();
        private final int[] inFlight;
        private final List<News> underWay = new ArrayList<>();
        private final long[] lastArrival;

        private record News(long arrival, int from, int to, Map<String, Integer> claims) {}

        World(int count, int cap, long seed) {
            this.random = new SplittableRandom(seed);
            this.cap = cap;
            this.inFlight = new int[count];
            this.lastArrival = new long[count * count];
            for (int node = 0; node < count; node++) {
                var caps = new SharedCaps();
                Set<Long> others = new HashSet<>();
                for (long other = 0; other < count; other++) {
                    others.add(other);
                }
                others.remove((long) node);
                caps.members(others);
                nodes.add(caps);
            }
        }

        int most() {
            int most = 0;
            long now = 0;
            for (int step = 0; step < 400; step++) {
                now += random.nextInt(10) == 0 ? random.nextLong(2 * SharedCap.INTERVAL_MS) : random.nextLong(10);
                hear(now);
                act(random.nextInt(nodes.size()), now);
                most = Math.max(most, IntStream.of(inFlight).sum());
            }
            return most;
        }

        private void hear(long now) {
            underWay.sort(Comparator.comparingLong(News::arrival));
            while (!underWay.isEmpty() && underWay.getFirst().arrival <= now) {
                News news = underWay.removeFirst();
                nodes.get(news.to).told(news.from, news.claims);
            }
        }

        private void act(int node, long now) {
            int many = random.nextBoolean() ? 1 + random.nextInt(3) : cap;
            if (random.nextInt(10) < 7) {
                inFlight[node] += acquired(nodes.get(node), cap, many, now);
            } else {
                for (int i = 0; i < many && inFlight[node] > 0; i++) {
                    inFlight[node]--;
                    nodes.get(node).release(CALLER);
                }
            }
            tell(node, now);
        }

        /** Each in its time, but none before one that was sent earlier. */
        private void tell(int node, long now) {
            var claims = nodes.get(node).claims(now);
            for (int to = 0; to < nodes.size(); to++) {
                if (to != node) {
                    int way = node * nodes.size() + to;
                    long arrival = Math.max(lastArrival[way], now + random.nextLong(LONGEST_WAY + 1));
                    lastArrival[way] = arrival;
                    underWay.add(new News(arrival, node, to, claims));
                }
            }
        }
    }
}
