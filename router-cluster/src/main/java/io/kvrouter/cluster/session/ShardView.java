package io.kvrouter.cluster.session;

import io.kvrouter.cluster.binding.NodeBindings;
import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.ShardRegion.CurrentRegions;
import org.apache.pekko.cluster.sharding.ShardRegion.ShardRegionStats;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.pattern.Patterns;

/**
 * All shards of the sessions, wherever they live, as the operator sees them. Each node is asked for its own: the
 * library's question to the coordinator tells nothing at all while one node does not answer.
 */
public final class ShardView {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String REGION = "/system/sharding/" + SessionShards.TYPE.name();

    /**
     * One shard.
     *
     * @param node where it lives; empty while it has no home, or its node does not answer within 1 s
     * @param actors session actors in memory; 0 where the node is empty
     * @param bindings sessions with a usable binding, as this node's replica has them
     */
    public record Shard(int number, Optional<Address> node, int actors, int bindings) {}

    private final ActorSystem<?> system;
    private final NodeBindings bindings;

    public ShardView(ActorSystem<?> system, NodeBindings bindings) {
        this.system = system;
        this.bindings = bindings;
    }

    /** All shards by number. Never fails. */
    public CompletionStage<List<Shard>> shards() {
        return homes().thenApply(homes -> IntStream.range(0, SessionKey.SHARDS)
                .mapToObj(number -> shard(number, homes))
                .toList());
    }

    /** The shard of one session. Never fails. */
    public CompletionStage<Shard> shard(SessionKey key) {
        return homes().thenApply(homes -> shard(key.shard(), homes));
    }

    /** How many nodes host shards, or could, as the coordinator has them. Fails while this node is none of them. */
    CompletionStage<Integer> hosts() {
        return ask(Cluster.get(system).selfMember().address(), ShardRegion.getCurrentRegionsInstance())
                .thenApply(regions -> ((CurrentRegions) regions).getRegions().size());
    }

    private Shard shard(int number, Map<Integer, Home> homes) {
        int live = bindings.replica().live(number, bindings.clock().millis());
        var home = Optional.ofNullable(homes.get(number));
        return new Shard(number, home.map(Home::node), home.map(Home::actors).orElse(0), live);
    }

    private record Home(Address node, int actors) {}

    private CompletionStage<Map<Integer, Home>> homes() {
        CompletionStage<Map<Integer, Home>> all = CompletableFuture.completedStage(new HashMap<>());
        for (Member member : Cluster.get(system).state().getMembers()) {
            all = all.thenCombine(homesAt(member.address()), (found, here) -> {
                found.putAll(here);
                return found;
            });
        }
        return all;
    }

    private CompletionStage<Map<Integer, Home>> homesAt(Address node) {
        return ask(node, ShardRegion.getRegionStatsInstance()).handle((answer, failure) -> {
            var here = new HashMap<Integer, Home>();
            if (answer instanceof ShardRegionStats stats) {
                stats.getStats()
                        .forEach((shard, actors) ->
                                here.put(Integer.valueOf(shard), new Home(node, ((Number) actors).intValue())));
            }
            return here;
        });
    }

    /** A living node that hosts no shards yet says so at once. */
    private CompletionStage<Object> ask(Address node, Object question) {
        return Adapter.toClassic(system)
                .actorSelection(node + REGION)
                .resolveOne(TIMEOUT)
                .thenCompose(region -> Patterns.ask(region, question, TIMEOUT));
    }
}
