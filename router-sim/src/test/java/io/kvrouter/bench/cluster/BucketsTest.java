package io.kvrouter.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;

class BucketsTest {
    private static final String BEFORE = """
            # HELP ask_seconds Until an answer came.
            # TYPE ask_seconds histogram
            ask_seconds_bucket{where="local",le="0.001"} 10
            ask_seconds_bucket{where="local",le="0.01"} 10
            ask_seconds_bucket{where="local",le="+Inf"} 10
            ask_seconds_count{where="local"} 10
            """;
    private static final String AFTER = """
            ask_seconds_bucket{where="local",le="0.001"} 60
            ask_seconds_bucket{where="local",le="0.01"} 109
            ask_seconds_bucket{where="local",le="+Inf"} 110
            ask_seconds_bucket{where="remote",le="0.001"} 0
            ask_seconds_bucket{where="remote",le="0.01"} 7
            ask_seconds_bucket{where="remote",le="+Inf"} 7
            asks_total 117.0
            """;

    private static Buckets between(String label) {
        return Scrape.of(AFTER)
                .histogram("ask_seconds", label)
                .since(Scrape.of(BEFORE).histogram("ask_seconds", label));
    }

    @Test
    void aDifferenceHasWhatCameBetween() {
        assertThat(between("where=\"local\"").count()).isEqualTo(100);
        assertThat(between("where=\"remote\"").count()).isEqualTo(7);
        assertThat(between("").count()).isEqualTo(107);
    }

    @Test
    void aPercentileLiesWithinItsBucket() {
        var local = between("where=\"local\"");

        assertThat(local.percentileMs(25)).isEqualTo(0.5);
        assertThat(local.percentileMs(50)).isEqualTo(1);
        assertThat(local.percentileMs(99)).isCloseTo(10, offset(1e-9));
    }

    @Test
    void beyondTheLastBoundOnlyTheBoundIsKnown() {
        assertThat(between("where=\"local\"").percentileMs(100)).isEqualTo(10);
        assertThat(between("where=\"local\"").mostMs()).isInfinite();
        assertThat(between("where=\"remote\"").mostMs()).isEqualTo(10);
    }

    @Test
    void thoseOfSeveralNodesAddUp() {
        var both = between("where=\"local\"").plus(between("where=\"remote\""));

        assertThat(both).isEqualTo(between(""));
    }

    @Test
    void whatIsNotThereIsNothing() {
        var none = Scrape.NONE.histogram("ask_seconds", "");

        assertThat(none.count()).isZero();
        assertThat(none.percentileMs(99)).isZero();
        assertThat(none.mostMs()).isZero();
        assertThat(Scrape.of(AFTER).value("asks_total")).isEqualTo(117);
        assertThat(Scrape.of(AFTER).sum("asks_total")).isEqualTo(117);
        assertThat(Scrape.NONE.sum("asks_total")).isZero();
    }
}
