package io.kvrouter.http.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.reservation.RememberedNames.What;
import org.junit.jupiter.api.Test;

class RememberedNamesTest {
    private final RememberedNames names = new RememberedNames();

    @Test
    void areForgottenAfterAnHour() {
        names.remember("a", What.ENDED, 0);

        assertThat(names.of("a", RememberedNames.MEMORY_MS - 1)).contains(What.ENDED);
        assertThat(names.of("a", RememberedNames.MEMORY_MS)).isEmpty();
    }

    @Test
    void areBoundedAndTheOldestGoFirst() {
        for (int i = 0; i <= RememberedNames.BOUND; i++) {
            names.remember("n" + i, What.ENDED_UNSEEN, i);
        }

        assertThat(names.size()).isEqualTo(RememberedNames.BOUND);
        assertThat(names.of("n0", 0)).isEmpty();
        assertThat(names.of("n1", 0)).contains(What.ENDED_UNSEEN);
    }

    @Test
    void areAsWasSaidLast() {
        names.remember("a", What.PREFILLED, 0);
        names.remember("a", What.ENDED, 1);

        assertThat(names.of("a", 2)).contains(What.ENDED);
    }
}
