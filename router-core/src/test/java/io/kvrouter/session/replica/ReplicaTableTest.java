package io.kvrouter.session.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplicaTableTest {
    private static final WorkerId A = new WorkerId("a");
    private static final SessionKey KEY = new SessionKey(1, 2);
    private static final SessionKey OTHER = new SessionKey(3, 2);
    private static final BindingTable REPLICATED = BindingTable.of(0, List.of(row(KEY, 1, A), row(OTHER, 1, A)));

    @Test
    void readsAnOwnRowBeforeItIsReplicated() {
        var table = ReplicaTable.EMPTY.merge(REPLICATED).with(row(KEY, 2, null));

        assertThat(table.row(KEY)).contains(row(KEY, 2, null));
        assertThat(table.row(OTHER)).contains(row(OTHER, 1, A));
        assertThat(table.live(0)).isEqualTo(1);
    }

    @Test
    void sharesTheReplicationsTableWhenThatHasTheOwnRowsToo() {
        var table = ReplicaTable.EMPTY.with(row(KEY, 1, A)).merge(REPLICATED);

        assertThat(table.replicated()).isSameAs(REPLICATED);
        assertThat(table.whole()).isSameAs(REPLICATED);
        assertThat(table.ahead().size()).isZero();
    }

    @Test
    void keepsAnOwnRowThatAnOlderTableOfTheReplicationLacks() {
        var table = ReplicaTable.EMPTY.merge(REPLICATED).with(row(KEY, 3, A)).merge(BindingTable.of(row(KEY, 2, A)));

        assertThat(table.row(KEY)).contains(row(KEY, 3, A));
    }

    @Test
    void forgetsAnOwnRowThatTheReplicationsFloorHasPassed() {
        var table = ReplicaTable.EMPTY.with(row(KEY, 1, A)).merge(BindingTable.of(100, List.of()));

        assertThat(table.row(KEY)).isEmpty();
        assertThat(table.with(row(KEY, 1, A)).row(KEY)).isEmpty();
    }

    private static BindingRow row(SessionKey key, long version, @Nullable WorkerId worker) {
        return new BindingRow(key, version, worker, 0, 100);
    }
}
