package io.kvrouter.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import org.junit.jupiter.api.Test;

class ProvisionalBindingsTest {
    private static final SessionKey KEY = new SessionKey(1, 1);
    private static final Proposal TO_A = new Proposal(0, new WorkerId("a"), 0, Known.NOTHING);

    private final ProvisionalBindings provisional = new ProvisionalBindings();

    @Test
    void lastAsLongAsTheSessionWould() {
        provisional.remember(KEY, TO_A, 1_000, 500);

        assertThat(provisional.find(KEY, 1_499)).contains(TO_A);
        assertThat(provisional.find(KEY, 1_500)).isEmpty();
    }

    @Test
    void beyondTheBoundNothingNewIsRememberedUntilSomethingExpires() {
        for (int i = 0; i < ProvisionalBindings.BOUND; i++) {
            provisional.remember(new SessionKey(2, i), TO_A, 0, 100);
        }

        assertThat(provisional.remember(KEY, TO_A, 50, 100)).isFalse();
        assertThat(provisional.remember(KEY, TO_A, 100, 100)).isTrue();
    }
}
