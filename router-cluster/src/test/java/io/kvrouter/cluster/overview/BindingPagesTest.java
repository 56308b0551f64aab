package io.kvrouter.cluster.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.cluster.binding.BindingReplica;
import io.kvrouter.cluster.overview.BindingPages.Query;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BindingPagesTest {
    private static final long NOW = 1_000;
    private static final WorkerId A = new WorkerId("a");
    private static final WorkerId B = new WorkerId("b");

    private final BindingReplica replica = new BindingReplica();
    private final BindingPages pages = new BindingPages(replica);

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 1_000})
    void tellEachSessionOnce(int limit) {
        var random = new Random(limit);
        List<SessionKey> keys = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            keys.add(bind(new SessionKey(random.nextLong(), random.nextLong(64)), A));
        }

        assertThat(all(Optional.empty(), OptionalInt.empty(), limit)).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void areOfOneWorkerOrOneShardOrBoth() {
        var first = bind(new SessionKey(1, 5), A);
        var second = bind(new SessionKey(1, 5 + SessionKey.SHARDS), B);
        var third = bind(new SessionKey(1, 6), A);

        assertThat(all(Optional.of(A), OptionalInt.empty(), 1)).containsExactly(first, third);
        assertThat(all(Optional.empty(), OptionalInt.of(5), 1)).containsExactly(first, second);
        assertThat(all(Optional.of(B), OptionalInt.of(5), 1)).containsExactly(second);
        assertThat(all(Optional.of(B), OptionalInt.of(6), 1)).isEmpty();
    }

    @Test
    void leaveOutWhatIsRemovedOrExpired() {
        replica.merge(new BindingRow(new SessionKey(1, 1), 1, null, 0, NOW + 1));
        replica.merge(new BindingRow(new SessionKey(1, 2), 1, A, 0, NOW));

        assertThat(all(Optional.empty(), OptionalInt.empty(), 10)).isEmpty();
    }

    @Test
    void goOnWhereTheyWereThoughThatSessionIsGone() {
        bind(new SessionKey(1, 3), A);
        var next = bind(new SessionKey(9, 3), A);

        var page = pages.page(query(Optional.empty(), OptionalInt.empty(), Optional.of(new SessionKey(4, 3)), 9), NOW);

        assertThat(page.rows()).extracting(BindingRow::key).containsExactly(next);
    }

    private SessionKey bind(SessionKey key, WorkerId worker) {
        replica.merge(new BindingRow(key, 1, worker, 0, NOW + 1));
        return key;
    }

    private List<SessionKey> all(Optional<WorkerId> worker, OptionalInt shard, int limit) {
        List<SessionKey> keys = new ArrayList<>();
        Optional<SessionKey> after = Optional.empty();
        do {
            var page = pages.page(query(worker, shard, after, limit), NOW);
            assertThat(page.rows()).hasSizeLessThanOrEqualTo(limit);
            page.rows().forEach(row -> keys.add(row.key()));
            after = page.next();
        } while (after.isPresent());
        return keys;
    }

    private static Query query(Optional<WorkerId> worker, OptionalInt shard, Optional<SessionKey> after, int limit) {
        return new Query(worker, shard, after, limit);
    }
}
