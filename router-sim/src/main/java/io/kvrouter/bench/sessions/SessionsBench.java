package io.kvrouter.bench.sessions;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.sessions.FaultResult.Logs;
import io.kvrouter.bench.sessions.load.ClosedRun;
import io.kvrouter.bench.sessions.load.OpenRun;
import io.kvrouter.bench.sessions.load.SessionBook;
import io.kvrouter.bench.sessions.load.TurnClient;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster with many sessions, and what becomes of them when nodes die, leave, pause and join. Nodes are processes of
 * their own; the simulated workers, whose engines take no time, are in this one.
 */
public final class SessionsBench {
    private static final double NO_ENGINE_TIME = 1e6;
    private static final int FILL_ROUNDS = 3;
    private static final long POLL_MS = 20;
    private static final Duration PROGRESS = Duration.ofSeconds(10);
    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final Duration LATE = Duration.ofSeconds(30);

    private final SessionsPlan plan;
    private final SimulatedFleet workers;
    private final LocalCluster cluster;
    private final TurnClient client;
    private final SessionBook book;
    private final Consumer<String> progress;
    private final PhaseMeter meter;
    private final List<PhaseResult> phases = new ArrayList<>();
    private final List<FaultResult> faults = new ArrayList<>();

    /** What a benchmark runs on. */
    private record World(SimulatedFleet workers, LocalCluster cluster, TurnClient client, SessionBook book) {}

    private SessionsBench(SessionsPlan plan, World world, Consumer<String> progress) throws InterruptedException {
        this.plan = plan;
        this.workers = world.workers();
        this.cluster = world.cluster();
        this.client = world.client();
        this.book = world.book();
        this.progress = progress;
        this.meter = new PhaseMeter(cluster, client);
    }

    /** Starts everything, makes the sessions, lets the faults happen one after the other, and ends everything. */
    public static SessionsReport run(SessionsPlan plan, List<Fault> faults, Consumer<String> progress)
            throws IOException, InterruptedException {
        var engine = EngineSettings.DEFAULT.withSpeed(1, NO_ENGINE_TIME);
        var random = RandomGenerator.getDefault();
        var book = new SessionBook(plan.load().sessions(), "s" + Long.toHexString(random.nextLong()) + "-");
        progress.accept("starting " + plan.cluster().nodes() + " nodes, each with -Xmx" + plan.heap());
        try (var workers = SimulatedFleet.start(plan.cluster().workers(), 0, SimSettings.DEFAULT.withEngine(engine));
                var cluster = LocalCluster.start(
                        plan.cluster().nodes(), plan.cluster().workers(), launch(plan, workers.urls()));
                var client = new TurnClient(new ClientThread(), book, random);
                var watch = new Watch(cluster, client)) {
            return new SessionsBench(plan, new World(workers, cluster, client, book), progress).measure(faults, watch);
        }
    }

    private static LocalCluster.Launch launch(SessionsPlan plan, List<URI> workers) {
        Map<String, String> settings = new HashMap<>();
        settings.put("kvrouter.worker-urls", workers.stream().map(URI::toString).collect(Collectors.joining(",")));
        settings.put("pekko.loglevel", "ERROR");
        settings.putAll(plan.cluster().settings());
        return new LocalCluster.Launch(
                List.of("-Xmx" + plan.heap(), "-Dlogback.configurationFile=logback.xml"), // a test has its own, too
                settings,
                true);
    }

    private SessionsReport measure(List<Fault> all, Watch watch) throws IOException, InterruptedException {
        watch.begin();
        Map<LocalNode, Double> empty = heaps();
        PhaseResult fill = fill();
        progress.accept("%d sessions in %.1f s".formatted(fill.turns().succeeded(), fill.seconds()));
        TimeUnit.MILLISECONDS.sleep(SETTLE.toMillis());
        for (Fault fault : all) {
            run(fault);
        }
        // Last: with a million sessions a full collection stops a node for longer than the others put up with.
        return new SessionsReport(new SessionsResult(plan, fill, memory(empty), phases, faults));
    }

    private Map<LocalNode, Double> heaps() throws IOException, InterruptedException {
        Map<LocalNode, Double> heaps = new HashMap<>();
        for (LocalNode node : cluster.alive()) {
            node.collectGarbage();
            heaps.put(node, node.scrape().value("jvm_memory_used_bytes{area=\"heap\"}"));
        }
        return heaps;
    }

    private List<NodeMemory> memory(Map<LocalNode, Double> empty) throws IOException, InterruptedException {
        List<NodeMemory> all = new ArrayList<>();
        for (var heap : heaps().entrySet()) {
            double resident = heap.getKey().scrape().value("process_resident_memory_bytes");
            double before = empty.getOrDefault(heap.getKey(), 0.0);
            all.add(new NodeMemory(heap.getKey().name(), before, heap.getValue(), resident));
        }
        return all.stream().sorted((a, b) -> a.node().compareTo(b.node())).toList();
    }

    /** First turns of all sessions; those that failed again, for a few rounds. */
    private PhaseResult fill() throws InterruptedException {
        PhaseResult unused = meter.cut("idle");
        for (int round = 0; round < FILL_ROUNDS; round++) {
            int[] unbound = client.ask(() -> book.unbound().toArray());
            turnOfEach("sessions made", unbound);
        }
        return meter.cut("fill");
    }

    private void turnOfEach(String what, int... sessions) throws InterruptedException {
        var turns = IntStream.of(sessions).iterator();
        var run = ClosedRun.start(client, turns, plan.load().concurrency());
        long began = System.nanoTime();
        int before = 0;
        while (!await(run.over())) {
            double perSecond = run.done() * 1e9 / (System.nanoTime() - began);
            progress.accept("%s: %d of %d, %.0f/s".formatted(what, run.done(), sessions.length, perSecond));
            if (run.done() == before) {
                throw new IllegalStateException("no turn was answered for " + PROGRESS.toSeconds() + " s");
            }
            before = run.done();
        }
    }

    private static boolean await(CompletableFuture<Void> over) throws InterruptedException {
        try {
            over.get(PROGRESS.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void run(Fault fault) throws IOException, InterruptedException {
        var load = OpenRun.start(client, plan.load().rate(), plan.load().newShare());
        try {
            if (faults.isEmpty()) {
                pass("warm-up", plan.times().before());
            }
            pass("quiet", plan.times().before());
            var strike = strike(fault);
            double healed = strike.awaitWhole(plan.times().patience());
            cut(fault.title() + ": during");
            progress.accept("%s: whole again after %.1f s".formatted(fault.title(), healed));
            strike.watch(plan.times().after());
            load.stop();
            cut(fault.title() + ": after");
            faults.add(check(fault, strike, healed));
        } finally {
            load.stop();
        }
    }

    private FaultRun strike(Fault fault) throws IOException {
        progress.accept(fault.title());
        client.ask(() -> {
            book.fault(client.nowMs());
            return true;
        });
        return FaultRun.strike(cluster, client, fault, plan.times().pause());
    }

    private void pass(String name, Duration time) throws InterruptedException {
        progress.accept(name + ", " + time.toSeconds() + " s");
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
        cut(name);
    }

    private void cut(String name) throws InterruptedException {
        phases.add(meter.cut(name));
    }

    /** Sessions that had no turn since the fault are asked for, then all is compared with what the workers logged. */
    private FaultResult check(Fault fault, FaultRun strike, double healed) throws IOException, InterruptedException {
        long patience = System.nanoTime() + LATE.toNanos();
        while (client.underWay() > 0 && System.nanoTime() < patience) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        client.abandon();
        workers.workers().forEach(SimulatedWorker::clearRequests);
        turnOfEach(
                "sessions checked",
                client.ask(() -> book.unasked().limit(plan.load().check()).toArray()));
        cut(fault.title() + ": check");
        var changes = client.ask(book::changes);
        return new FaultResult(fault, strike.node(), healed, strike.silence(), changes, logs());
    }

    /** The last turns of each worker, by its own log. */
    private Logs logs() throws IOException, InterruptedException {
        Map<String, String> ids = new HashMap<>();
        for (JsonNode worker : cluster.alive().getFirst().get("/workers").path("workers")) {
            ids.put(worker.path("url").asText(), worker.path("id").asText());
        }
        long turns = 0;
        long contradictions = 0;
        for (SimulatedWorker worker : workers.workers()) {
            int number = client.worker(ids.getOrDefault(worker.url().toString(), ""));
            for (JsonNode request : worker.requests()) {
                String session = request.path("headers").path("x-session-id").asText();
                int known = client.ask(() -> book.workerOf(session));
                turns += known < 0 ? 0 : 1;
                contradictions += known < 0 || known == number ? 0 : 1;
            }
        }
        return new Logs(turns, contradictions);
    }
}
