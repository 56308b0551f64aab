package io.kvrouter.cluster.load.lag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
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

        assertThat(all.quantileMs(0.5)).isEqualTo(60); // the class of 51 ms
        assertThat(all.quantileMs(0.99)).isEqualTo(100);
        assertThat(all.quantileMs(1)).isEqualTo(60_000);
        assertThat(all.counts()).hasSameSizeAs(all.boundsSeconds());
        assertThat(LagHistogram.Snapshot.sum(List.of(all, all)).count()).isEqualTo(202);
        assertThat(all.since(all).count()).isZero();
        assertThat(LagHistogram.Snapshot.empty().quantileMs(0.99)).isZero();
    }
}
