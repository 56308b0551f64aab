package io.kvrouter.cluster.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.cluster.hosted.HostedSessions.End;
import io.kvrouter.session.Known;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import io.kvrouter.worker.WorkerId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostedSessionsTest {
    private static final WorkerId A = new WorkerId("a");
    private static final WorkerId B = new WorkerId("b");
    private static final long TTL = 60_000;
    private static final long NOW = 1_000_000;

    private final HostedSessions hosted = new HostedSessions();
    private long next;

    @Test
    void theFootprintIsTheContextOfActiveSessionsByWorkerAndRank() {
        show(A, 0, 100, NOW);
        show(A, 0, 20, NOW - HostedSessions.ACTIVE_MS);
        show(A, 1, 7, NOW);
        show(B, 0, 5, NOW);
        show(B, 0, 1_000, NOW - HostedSessions.ACTIVE_MS - 1);

        assertThat(hosted.footprint(NOW)).isEqualTo(Map.of(A, Map.of(0, 120L, 1, 7L), B, Map.of(0, 5L)));
    }

    @Test
    void whatIsUnboundOrUnknownHasNone() {
        show(A, 0, 0, NOW);
        hosted.enter(new SessionKey(0, 99));

        assertThat(hosted.footprint(NOW)).isEmpty();
        assertThat(hosted.size()).isEqualTo(2);
    }

    @Test
    void anActorThatStopsLateDoesNotTakeItsSuccessorAlong() {
        var key = new SessionKey(1, 1);
        var first = hosted.enter(key);
        var second = hosted.enter(key);

        hosted.leave(key, first);
        assertThat(hosted.state(key)).isPresent();
        hosted.leave(key, second);

        assertThat(hosted.state(key)).isEmpty();
        assertThat(hosted.size()).isZero();
    }

    @Test
    void endsAreCountedByTheirKind() {
        hosted.ended(End.FINAL);
        hosted.ended(End.FINAL);

        assertThat(hosted.ends(End.FINAL)).isEqualTo(2);
        assertThat(hosted.ends(End.EXPIRED)).isZero();
    }

    private void show(WorkerId worker, int rank, long tokens, long lastSeen) {
        hosted.enter(new SessionKey(0, next++))
                .show(new SessionState(new Known(7, worker, rank), TTL, lastSeen + TTL, 0, tokens, null));
    }
}
