package io.kvrouter.cluster.session;

import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Gives every shard a home before turns need one. The coordinator finds homes one after the other, each with a
 * replicated write: a burst of first turns on a fresh cluster would outlast the time that a decision may wait.
 */
public final class ShardHomes {
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ActorSystem<?> system;
    private final Sessions sessions;
    private final ShardView shards;

    public ShardHomes(ActorSystem<?> system, Sessions sessions, ShardView shards) {
        this.system = system;
        this.sessions = sessions;
        this.shards = shards;
    }

    /**
     * Completes when every shard has a home.
     *
     * @param nodes how many nodes are expected to host shards; after 5 s it goes on with those that do, so that the
     *     homes are spread where nodes start together
     */
    public CompletionStage<Done> settle(int nodes) {
        var hosting = new CompletableFuture<Done>();
        Cancellable rounds = system.scheduler()
                .scheduleWithFixedDelay(Duration.ZERO, INTERVAL, () -> look(nodes, hosting), system.executionContext());
        return hosting.completeOnTimeout(Done.getInstance(), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((done, failure) -> rounds.cancel())
                .thenCompose(done -> askEach());
    }

    private void look(int nodes, CompletableFuture<Done> hosting) {
        shards.hosts().thenAccept(count -> {
            if (count >= nodes) {
                hosting.complete(Done.getInstance());
            }
        });
    }

    /** Of each shard a session that nobody has: its actor leaves as soon as it has answered. */
    private CompletionStage<Done> askEach() {
        var asks = IntStream.range(0, SessionKey.SHARDS)
                .mapToObj(shard -> sessions.unbind(new SessionKey(0, shard)).toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(asks).handle((done, failure) -> Done.getInstance());
    }
}
