package io.kvrouter.cluster.session;

import static io.kvrouter.cluster.session.Eventually.eventually;
import static io.kvrouter.cluster.session.TestNode.await;
import static io.kvrouter.cluster.session.TestNode.turn;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pekko.actor.Address;
import org.junit.jupiter.api.Test;

/** Shards of two nodes of which one is killed, and never removed. */
class ShardViewTest {
    @Test
    void aKilledNodeHidesItsOwnShardsOnly() {
        try (var left = TestNode.first()) {
            var killed = TestNode.joining(left);
            onlyTheOthersShardsAreHidden(left, killed);
        }
    }

    @Test
    void theCoordinatorsNodeIsNotNeeded() {
        var killed = TestNode.first();
        try (var left = TestNode.joining(killed)) {
            onlyTheOthersShardsAreHidden(left, killed);
        }
    }

    @Test
    void aNodeThatHasJoinedNothingKnowsOfNoHome() {
        try (var alone = TestNode.alone("")) {
            assertThat(await(alone.shards.shards()))
                    .hasSize(SessionKey.SHARDS)
                    .allMatch(shard -> shard.node().isEmpty());
        }
    }

    private static void onlyTheOthersShardsAreHidden(TestNode left, TestNode killed) {
        eventually(() -> {
            IntStream.range(0, SessionKey.SHARDS)
                    .forEach(shard -> left.bind(new SessionKey(7, shard), turn(Duration.ofMinutes(30)), "w"));
            assertThat(Collections.frequency(homes(left).values(), left.address())) // then none moves any more
                    .isEqualTo(SessionKey.SHARDS / 2)
                    .isEqualTo(Collections.frequency(homes(left).values(), killed.address()));
        });
        var before = homes(left);

        killed.close();

        var after = await(left.shards.shards());
        assertThat(after).allSatisfy(shard -> {
            boolean here = left.address().equals(before.get(shard.number()));
            assertThat(shard.node()).isEqualTo(here ? Optional.of(left.address()) : Optional.empty());
            assertThat(shard.actors() > 0).isEqualTo(here);
        });
        assertThat(left.shard(new SessionKey(0, here(before, left))).node()).contains(left.address());
    }

    private static int here(Map<Integer, Address> homes, TestNode node) {
        return homes.entrySet().stream()
                .filter(home -> home.getValue().equals(node.address()))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private static Map<Integer, Address> homes(TestNode node) {
        return await(node.shards.shards()).stream()
                .filter(shard -> shard.node().isPresent())
                .collect(Collectors.toMap(
                        ShardView.Shard::number, shard -> shard.node().orElseThrow()));
    }
}
