package io.kvrouter.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.binding.BindingSettings;
import io.kvrouter.cluster.binding.NodeBindings;
import io.kvrouter.cluster.time.MonotonicClock;
import io.kvrouter.session.Answer;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnId;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.jspecify.annotations.Nullable;

/** A node of a cluster inside the test's JVM. Dies without a word: its coordinated shutdown is off. */
final class TestNode implements AutoCloseable {
    private static final AtomicLong TURNS = new AtomicLong();
    private static final String CONFIG = """
            include "kvrouter-session-overrides.conf"
            pekko {
              loglevel = WARNING
              actor.provider = cluster
              actor.allow-java-serialization = off
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              cluster.jmx.multi-mbeans-in-same-jvm = on
              cluster.downing-provider-class = ""
              coordinated-shutdown {
                run-by-actor-system-terminate = off
                run-by-jvm-shutdown-hook = off
                terminate-actor-system = off
              }
              cluster.sharding.rebalance-interval = 1 s
              cluster.shutdown-after-unsuccessful-join-seed-nodes = off
            }
            kvrouter.bindings { sweep-interval = 200 ms, skew = 0 s, distributed-data.gossip-interval = 500 ms }
            """;

    final LongAdder answersFromHere = new LongAdder();
    final LongAdder answersFromElsewhere = new LongAdder();
    final ActorSystem<Void> system;
    final NodeBindings bindings;
    final ClusterSessions sessions;
    final ShardView shards;

    private TestNode(Config config) {
        system = ActorSystem.create(Behaviors.empty(), "router", config);
        var clock = MonotonicClock.start();
        bindings = NodeBindings.start(
                system, BindingSettings.of(system.settings().config()), clock, () -> OptionalLong.of(clock.millis()));
        sessions = ClusterSessions.start(
                system, bindings, (here, nanos) -> (here ? answersFromHere : answersFromElsewhere).increment());
        shards = new ShardView(system, bindings);
    }

    /** A node that has not joined anything yet. */
    static TestNode alone(String more) {
        var config = ConfigFactory.parseString(CONFIG + more).withFallback(ConfigFactory.load());
        return new TestNode(config.resolve());
    }

    /** A cluster of one, ready. */
    static TestNode first() {
        return alone("").join(null);
    }

    static TestNode joining(TestNode member) {
        return alone("").join(member);
    }

    TestNode join(@Nullable TestNode member) {
        var seed = member == null ? address() : member.address();
        Cluster.get(system).manager().tell(new JoinSeedNodes(List.of(seed)));
        await(sessions.ready());
        return this;
    }

    Address address() {
        return Cluster.get(system).selfMember().address();
    }

    Answer bind(SessionKey key, Turn turn, String worker) {
        return bind(key, turn, worker, 0);
    }

    Answer bind(SessionKey key, Turn turn, String worker, long seen) {
        return await(sessions.bind(key, turn, new Proposal(seen, new WorkerId(worker), 0, Known.NOTHING))
                .answer());
    }

    Answer follow(SessionKey key, Turn turn) {
        var known = sessions.row(key).map(BindingRow::known).orElse(Known.NOTHING);
        return await(sessions.follow(key, turn, known).answer());
    }

    /** As the ingress does: by its replica, and not for long. */
    Optional<Answer> decide(SessionKey key) {
        var known = sessions.row(key).map(BindingRow::known).orElse(Known.NOTHING);
        var asked = sessions.follow(key, turn(Duration.ofMinutes(30)), known);
        return await(asked.within(Duration.ofMillis(250)));
    }

    Optional<String> worker(SessionKey key) {
        return sessions.usable(key).map(binding -> binding.worker().value());
    }

    ShardView.Shard shard(SessionKey key) {
        return await(shards.shard(key));
    }

    void down(TestNode other) {
        Cluster.get(system).manager().tell(new Down(other.address()));
    }

    static Turn turn(Duration ttl) {
        return new Turn(new TurnId(9, TURNS.incrementAndGet()), ttl.toMillis());
    }

    static String worker(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Bound.class);
        return ((Answer.Bound) answer).binding().worker().value();
    }

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new AssertionError("no answer", e);
        }
    }

    @Override
    public void close() {
        system.terminate();
        await(system.getWhenTerminated());
    }
}
