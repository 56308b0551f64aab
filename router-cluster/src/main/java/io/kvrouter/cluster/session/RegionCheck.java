package io.kvrouter.cluster.session;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.sharding.ClusterShardingHealthCheck;
import scala.jdk.javaapi.FutureConverters;

/**
 * Waits until the coordinator of the shards knows this node. Before that nobody is told where a session's actor lives,
 * and every first turn would go on without it.
 */
final class RegionCheck {
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final ClusterShardingHealthCheck check;
    private final CompletableFuture<Done> registered = new CompletableFuture<>();

    private RegionCheck(ActorSystem<?> system) {
        this.check = new ClusterShardingHealthCheck(system.classicSystem());
    }

    static CompletionStage<Done> registered(ActorSystem<?> system) {
        var check = new RegionCheck(system);
        Cancellable rounds = system.scheduler()
                .scheduleWithFixedDelay(Duration.ZERO, INTERVAL, check::round, system.executionContext());
        return check.registered.whenComplete((done, failure) -> rounds.cancel());
    }

    private void round() {
        FutureConverters.asJava(check.apply()).thenAccept(known -> {
            if ((Boolean) known) {
                registered.complete(Done.getInstance());
            }
        });
    }
}
