package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BindingTableChangesTest {
    private static final WorkerId A = new WorkerId("a");
    private static final BindingTable TABLE =
            BindingTable.of(0, List.of(bound(1, 10, 100), bound(2, 10, 100), bound(3, 10, 200), removed(4, 10, 100)));

    @Test
    void aTableHasNoChangesSinceItself() {
        assertThat(changes(TABLE, TABLE)).isEmpty();
    }

    @Test
    void newNewerRefreshedAndRemovedSessionsHaveChanged() {
        var news = BindingTable.of(
                0, List.of(bound(0, 10, 100), bound(1, 11, 100), bound(2, 10, 101), removed(3, 11, 200)));

        assertThat(changes(TABLE, TABLE.merge(news))).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aBindingThatWasForgottenHasChangedButNotARemovalThatWas() {
        assertThat(changes(TABLE, TABLE.raiseFloor(100))).containsExactly(1, 2);
    }

    private static List<Integer> changes(BindingTable before, BindingTable after) {
        var changed = new ArrayList<Integer>();
        after.changesSince(before, key -> changed.add((int) key.high()));
        return changed;
    }

    private static BindingRow bound(int key, long version, long deadline) {
        return new BindingRow(new SessionKey(key, 0), version, A, 0, deadline);
    }

    private static BindingRow removed(int key, long version, long deadline) {
        return new BindingRow(new SessionKey(key, 0), version, null, 0, deadline);
    }
}
