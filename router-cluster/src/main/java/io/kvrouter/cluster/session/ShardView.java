package io.kvrouter.cluster.session;

import io.kvrouter.cluster.binding.NodeBindings;
import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.sharding.ShardRegion.ClusterShardingStats;
import org.apache.pekko.cluster.sharding.typed.GetClusterShardingStats;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;

/** All shards of the sessions, wherever they live, as the operator sees them. */
public final class ShardView {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    /**
     * One shard.
     *
     * @param node where it lives; empty while it has no home, or its node did not answer
     * @param actors session actors in memory
     * @param bindings sessions with a usable binding, as this node's replica has them
     */
    public record Shard(int number, Optional<Address> node, int actors, int bindings) {}

    private final ActorSystem<?> system;
    private final NodeBindings bindings;

    public ShardView(ActorSystem<?> system, NodeBindings bindings) {
        this.system = system;
        this.bindings = bindings;
    }

    /** All shards by number. Fails with a time-out while this node hosts no shards. */
    public CompletionStage<List<Shard>> shards() {
        return stats().thenApply(this::all);
    }

    /** How many nodes host shards, or could. */
    CompletionStage<Integer> hosts() {
        return stats().thenApply(stats -> stats.getRegions().size());
    }

    /** The shard of one session. */
    public CompletionStage<Shard> shard(SessionKey key) {
        return stats().thenApply(stats -> shard(key.shard(), homes(stats)));
    }

    private CompletionStage<ClusterShardingStats> stats() {
        var sharding = ClusterSharding.get(system).shardState();
        return AskPattern.ask(
                sharding,
                (ActorRef<ClusterShardingStats> replyTo) ->
                        new GetClusterShardingStats(SessionShards.TYPE, TIMEOUT, replyTo),
                TIMEOUT.plusSeconds(1),
                system.scheduler());
    }

    private List<Shard> all(ClusterShardingStats stats) {
        var homes = homes(stats);
        return IntStream.range(0, SessionKey.SHARDS)
                .mapToObj(number -> shard(number, homes))
                .toList();
    }

    private Shard shard(int number, Map<Integer, Home> homes) {
        int live = bindings.replica().live(number, bindings.clock().millis());
        var home = Optional.ofNullable(homes.get(number));
        return new Shard(number, home.map(Home::node), home.map(Home::actors).orElse(0), live);
    }

    private record Home(Address node, int actors) {}

    private static Map<Integer, Home> homes(ClusterShardingStats stats) {
        var homes = new HashMap<Integer, Home>();
        stats.getRegions()
                .forEach((address, region) -> region.getStats()
                        .forEach((shard, actors) ->
                                homes.put(Integer.valueOf(shard), new Home(address, ((Number) actors).intValue()))));
        return homes;
    }
}
