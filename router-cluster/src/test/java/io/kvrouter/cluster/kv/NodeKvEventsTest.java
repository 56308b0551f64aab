package io.kvrouter.cluster.kv;

import static io.kvrouter.cluster.kv.Packed.array;
import static io.kvrouter.cluster.kv.Packed.batch;
import static io.kvrouter.cluster.kv.Polling.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.kv.fleet.KvFleetSettings;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.kv.stream.StreamSettings;
import io.kvrouter.kv.stream.StreamState;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.KvEventEndpoints;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that follow one engine. */
@NullMarked
class NodeKvEventsTest {
    private static final Config CONFIG = ConfigFactory.parseString("""
            pekko {
              loglevel = ERROR
              stdout-loglevel = ERROR
              actor.provider = cluster
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              cluster.jmx.multi-mbeans-in-same-jvm = on
              cluster.failure-detector.acceptable-heartbeat-pause = 20s
              cluster.downing-provider-class = ""
              coordinated-shutdown.run-by-actor-system-terminate = off
              coordinated-shutdown.exit-jvm = off
            }
            """).withFallback(ConfigFactory.load());

    private final TestPublisher engine = TestPublisher.start();
    private final List<ActorTestKit> kits = new ArrayList<>();
    private final AtomicReference<Fleet> completed = new AtomicReference<>(Fleet.EMPTY);

    @AfterEach
    void stop() {
        kits.forEach(ActorTestKit::shutdownTestKit);
        engine.close();
    }

    private ActorTestKit node() {
        var kit = ActorTestKit.create("kvrouter", CONFIG);
        kits.add(kit);
        var cluster = Cluster.get(kit.system());
        var first = Cluster.get(kits.getFirst().system()).selfMember().address();
        cluster.manager().tell(Join.create(first));
        eventually(() -> cluster.selfMember().status().equals(MemberStatus.up())
                && cluster.state().members().size() == kits.size());
        return kit;
    }

    private NodeKvEvents events(ActorTestKit kit) {
        var settings = new KvFleetSettings(
                false, KvFleetSettings.DEFAULT_PORT, 64 << 20, new StreamSettings(2_000, 1_000, 30_000, 4 << 20));
        var events = NodeKvEvents.start(kit.system(), settings, new Random(4), completed::set);
        events.fleet(new Fleet(List.of(worker())));
        return events;
    }

    private Worker worker() {
        var facts = new EngineFacts(
                Set.of("m"),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(7L),
                Optional.of(new KvEventEndpoints(true, List.of(engine.endpoint()), List.of(engine.replayEndpoint()))));
        return new Worker(Registration.ofStatic(URI.create("http://127.0.0.1:1")), facts, Worker.Health.UP, List.of());
    }

    /** The n-th block of one chain. */
    private static byte[] block(int number) {
        Long parent = number == 0 ? null : (Long) (long) number - 1;
        return batch(array("BlockStored", List.of((long) number), parent, List.of(number, number + 1), 2, null));
    }

    private static void eventuallyLive(NodeKvEvents events, long blocks) {
        eventually(() -> {
            List<WorkerKvStatus> all = events.status();
            return !all.isEmpty()
                    && all.getFirst().blocks() == blocks
                    && all.getFirst().ranks().getFirst().state() == StreamState.LIVE;
        });
    }

    @Test
    void learnsABlockSizeThatNothingElseTells() {
        for (int i = 0; i < 10; i++) {
            engine.publish(block(i));
        }
        var events = events(node());

        eventuallyLive(events, 10);

        assertThat(completed.get().workers()).extracting(Worker::blockSize).containsExactly(2);
    }

    @Test
    void aNodeThatJoinsTakesFromAnotherWhatTheEngineHasForgotten() {
        var first = events(node());
        for (int i = 0; i < 5_000; i++) {
            engine.publish(block(i));
        }
        eventuallyLive(first, 5_000);
        engine.forget(4_990);

        var second = events(node());
        eventuallyLive(second, 5_000);
        engine.publish(block(5_000));

        eventuallyLive(second, 5_001);
        eventuallyLive(first, 5_001);
    }
}
