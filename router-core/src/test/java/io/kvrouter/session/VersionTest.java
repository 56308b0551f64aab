package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void isTheTimeAndTheWriter() {
        assertThat(Version.after(Version.NONE, 1_000, 0x12345L)).isEqualTo((1_000L << 16) | 0x2345);
    }

    @Test
    void growsThoughTheClockIsBehind() {
        long ahead = Version.after(Version.NONE, 2_000, 7);

        assertThat(Version.after(ahead, 1_000, 3)).isGreaterThan(ahead);
    }

    @Test
    void differsBetweenTwoWritersInOneMillisecond() {
        assertThat(Version.after(Version.NONE, 1_000, 1)).isNotEqualTo(Version.after(Version.NONE, 1_000, 2));
    }
}
