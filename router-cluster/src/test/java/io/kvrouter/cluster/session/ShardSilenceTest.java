package io.kvrouter.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShardSilenceTest {
    private final ShardSilence silence = new ShardSilence();

    @Test
    void beginsWithAWaitInVainAndEndsWithAnySignOfLife() {
        silence.waitedInVain(5, silence.timesHeard(5));
        assertThat(silence.silent(5)).isTrue();

        silence.heard(5);

        assertThat(silence.silent(5)).isFalse();
    }

    @Test
    void doesNotBeginWhenTheShardWasHeardSinceTheQuestion() {
        long before = silence.timesHeard(5);
        silence.heard(5);

        silence.waitedInVain(5, before);

        assertThat(silence.silent(5)).isFalse();
    }
}
