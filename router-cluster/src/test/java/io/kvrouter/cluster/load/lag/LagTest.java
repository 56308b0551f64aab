package io.kvrouter.cluster.load.lag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LagTest {
    private static final long MS = 1_000_000;

    private final LagProbes probes = new LagProbes();
    private final PeerLag peer = new PeerLag();

    private static LagProbes.Probe change(long atMs, long bookings) {
        return new LagProbes.Probe(OptionalLong.of(atMs * MS), bookings);
    }

    @Test
    void theLagIsTheAgeOfTheOldestChangeWhenTheAnswerIsBack() {
        long number = probes.begin(change(1_000, 7), 1_020 * MS);

        peer.answered(probes.probe(number).orElseThrow(), 1_024 * MS);

        assertThat(peer.lag().count()).isEqualTo(1);
        assertThat(peer.lag().mostMs()).isEqualTo(24);
        assertThat(peer.visibleBookings()).isEqualTo(7);
    }

    @Test
    void probesAreRareAndEveryNodeAnswersTheSame() {
        long first = probes.begin(change(0, 1), 0);
        assertThat(first).isPositive();
        assertThat(probes.begin(change(20, 2), 20 * MS)).isZero();
        assertThat(probes.begin(change(110, 3), 110 * MS)).isGreaterThan(first);

        assertThat(probes.probe(first)).contains(change(0, 1));
        assertThat(probes.probe(first)).contains(change(0, 1));
    }

    @Test
    void aWholeSliceAsksWhatIsVisibleAndMeasuresNoLag() {
        long number = probes.begin(new LagProbes.Probe(OptionalLong.empty(), 9), 0);

        peer.answered(probes.probe(number).orElseThrow(), MS);

        assertThat(peer.visibleBookings()).isEqualTo(9);
        assertThat(peer.lag().count()).isZero();
    }

    @Test
    void quantilesAreUpperBounds() {
        var histogram = new LagHistogram();
        for (long ms = 1; ms <= 100; ms++) {
            histogram.add(ms * MS);
        }
        histogram.add(60_000 * MS);

        var all = histogram.snapshot();

        assertThat(all.quantileMs(0.5)).isEqualTo(51);
        assertThat(all.quantileMs(0.99)).isEqualTo(100);
        assertThat(all.quantileMs(1)).isEqualTo(60_000);
        assertThat(LagHistogram.Snapshot.sum(List.of(all, all)).count()).isEqualTo(202);
        assertThat(all.since(all).count()).isZero();
        assertThat(LagHistogram.Snapshot.empty().quantileMs(0.99)).isZero();
    }

    @Test
    void metricsShowTheSameInFewerClasses() {
        var histogram = new LagHistogram();
        for (long ms : new long[] {1, 19, 20, 21, 299, 301, 5_000, 5_001, 60_000}) {
            histogram.add(ms * MS);
        }

        var all = histogram.snapshot();

        assertThat(all.shownCounts()).hasSameSizeAs(all.shownBounds()).hasSizeLessThan(30);
        assertThat(LongStream.of(all.shownCounts()).sum()).isEqualTo(all.count());
        assertThat(upTo(all, 0.02)).isEqualTo(3);
        assertThat(upTo(all, 0.3)).isEqualTo(5);
        assertThat(upTo(all, 5)).isEqualTo(7);
    }

    @Test
    void inWhateverOrderAnswersComeAndHoweverOftenTheLatestBookingsCount() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            var asked = new LagProbes();
            List<Long> answers = new ArrayList<>();
            for (long i = 0; i < 30; i++) {
                answers.add(asked.begin(change(200 * i, 10 * i), 200 * i * MS));
            }
            answers.removeIf(lost -> lost % 30 != 0 && random.nextInt(3) == 0);
            answers.addAll(answers.subList(0, answers.size() / 2)); // twice
            Collections.shuffle(answers, random);

            var seen = new PeerLag();
            answers.forEach(number -> asked.probe(number).ifPresent(probe -> seen.answered(probe, 6_000 * MS)));

            assertThat(seen.visibleBookings()).as("seed %d", seed).isEqualTo(290);
        }
    }

    private static long upTo(LagHistogram.Snapshot lag, double seconds) {
        return IntStream.range(0, lag.shownBounds().length)
                .filter(i -> lag.shownBounds()[i] <= seconds)
                .mapToLong(i -> lag.shownCounts()[i])
                .sum();
    }
}
