package io.kvrouter.cluster.load;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;

/** What the tests of the load in a cluster have in common: workers, prompts, nodes on free ports. */
final class TestNodes {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final Demand ANY = new Demand(Registration.DEFAULT_GROUP, "m", Set.of());
    static final Prompt PROMPT = Prompt.ofText("z".repeat(640));
    static final SelectionRequest REQUEST = SelectionRequest.of(ANY, PROMPT);

    private static final Config CONFIG = ConfigFactory.parseString("""
            pekko {
              loglevel = ERROR
              stdout-loglevel = ERROR
              actor.provider = cluster
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              actor.default-dispatcher.fork-join-executor.minimum-runnable = 4
              actor.internal-dispatcher.fork-join-executor.minimum-runnable = 4
              remote.default-remote-dispatcher.fork-join-executor.minimum-runnable = 4
              remote.artery.bind.bind-timeout = 20s
              cluster.jmx.multi-mbeans-in-same-jvm = on
              cluster.failure-detector.acceptable-heartbeat-pause = 20s
              cluster.downing-provider-class = ""
              coordinated-shutdown.run-by-actor-system-terminate = off
              coordinated-shutdown.exit-jvm = off
            }
            """)
            .withFallback(ConfigFactory.parseResources("kvrouter-load-overrides.conf"))
            .withFallback(ConfigFactory.load());

    private TestNodes() {}

    static ActorTestKit kit() {
        return ActorTestKit.create("kvrouter", CONFIG);
    }

    static LoadDesk desk(ActorTestKit kit) {
        LoadDesk desk = LoadDesk.start(kit.system(), LoadSettings.DEFAULT, sources(Footprint.NONE));
        desk.fleet(fleet(4));
        return desk;
    }

    static LoadDesk.Sources sources(Footprint footprint) {
        return new LoadDesk.Sources(() -> CacheView.EMPTY, footprint, InstantSource.system(), new Random(3));
    }

    static WorkerId id(int number) {
        return new WorkerId("w" + number);
    }

    static Fleet fleet(int workers) {
        return new Fleet(IntStream.range(0, workers).mapToObj(TestNodes::worker).toList());
    }

    /** Requests in flight on all workers, as this node sees them. */
    static WorkerLoad total(LoadDesk desk) {
        return desk.view().total().values().stream()
                .flatMap(ranks -> ranks.values().stream())
                .reduce(WorkerLoad.NONE, WorkerLoad::plus);
    }

    private static Worker worker(int number) {
        var facts = new EngineFacts(
                Set.of("m"),
                Set.of(),
                Optional.of(16),
                Optional.of(1_000L),
                Optional.of(1),
                Optional.of(1L),
                Optional.empty());
        var registration = new Registration(
                id(number),
                URI.create("http://127.0.0.1:" + (9_000 + number)),
                Registration.DEFAULT_GROUP,
                facts,
                Map.of(),
                false,
                Registration.Origin.API);
        return new Worker(registration, EngineFacts.UNKNOWN, Worker.Health.UP, List.of());
    }
}
