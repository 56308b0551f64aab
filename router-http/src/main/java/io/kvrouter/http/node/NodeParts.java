package io.kvrouter.http.node;

import io.kvrouter.cluster.binding.BindingCounts;
import io.kvrouter.cluster.binding.BindingReplica;
import io.kvrouter.cluster.binding.NodeBindings;
import io.kvrouter.cluster.binding.updates.BindingChanges;
import io.kvrouter.cluster.binding.updates.BindingReader;
import io.kvrouter.cluster.hosted.HostedLookup;
import io.kvrouter.cluster.kv.NodeKvEvents;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.overview.BindingCensus;
import io.kvrouter.cluster.overview.BindingPages;
import io.kvrouter.cluster.overview.WorkerUnbinding;
import io.kvrouter.cluster.session.ClusterSessions;
import io.kvrouter.cluster.session.ShardHomes;
import io.kvrouter.cluster.session.ShardView;
import io.kvrouter.cluster.time.MonotonicClock;
import io.kvrouter.cluster.worker.ReplicatedRegister;
import io.kvrouter.cluster.worker.WorkerRegister;
import io.kvrouter.http.cors.CrossOrigin;
import io.kvrouter.http.engine.FleetWatch;
import io.kvrouter.http.engine.HttpEngineProbe;
import io.kvrouter.http.ingress.Ingress;
import io.kvrouter.http.ingress.IngressParts;
import io.kvrouter.http.ingress.OwnAnswers;
import io.kvrouter.http.ingress.TurnReader;
import io.kvrouter.http.loop.EventLoops;
import io.kvrouter.http.loop.LoopLag;
import io.kvrouter.http.management.ManagementPorts;
import io.kvrouter.http.metrics.MeteredTurns;
import io.kvrouter.http.metrics.NodeMetrics;
import io.kvrouter.http.metrics.ProcessMetrics;
import io.kvrouter.http.metrics.SessionLatencies;
import io.kvrouter.http.models.ModelCards;
import io.kvrouter.http.models.ModelList;
import io.kvrouter.http.models.ModelNames;
import io.kvrouter.http.reservation.Reservations;
import io.kvrouter.http.selection.SelectionApi;
import io.kvrouter.http.selection.SelectionParts;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.settings.NodeSettings;
import io.kvrouter.http.settings.SelectionApiSettings;
import io.kvrouter.http.tls.NodeTls;
import io.kvrouter.http.tokens.engine.EngineTokenizer;
import io.kvrouter.http.turn.Explainer;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.http.upstream.netty.NettyUpstream;
import io.kvrouter.kv.fleet.RankSource;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;

/** The parts of a node, wired to one another. Each has one owner; what they share are snapshots. */
final class NodeParts {
    private static final Duration LAG_INTERVAL = Duration.ofMillis(100);
    private static final double NANOS = 1e9;

    private final ActorSystem<?> system;
    private final NodeSettings settings;
    private final PartSettings own;
    private final NodeAccess access;
    private final MonotonicClock clock = MonotonicClock.start();
    private final AtomicReference<Fleet> fleet = new AtomicReference<>(Fleet.EMPTY);
    private final ModelNames names;
    private final ModelCards cards = new ModelCards();
    private final NodeKvEvents caches;
    private final NodeTokens tokens;
    private final LoadDesk desk;
    private final SessionLatencies latencies = new SessionLatencies();
    private final ClusterSessions sessions;
    private final ManagementPorts.SessionPorts shown;
    private final EventLoops loops;
    private final NettyUpstream upstream;
    private final NodeFailover failover;
    private final WorkerRegister register;
    private final NodeMetrics metrics;
    private final ClockCheck clockCheck;
    private final TurnReader turnReader;
    private final SelectionParts selection;

    NodeParts(
            ActorSystem<?> system, NodeSettings settings, PartSettings own, NodeTokens.Loaded models, NodeTrust trust) {
        this.system = system;
        this.settings = settings;
        this.own = own;
        this.access = trust.access();
        names = new ModelNames(fleet::get, own.api().aliases());
        tokens = tokens(models, trust.tls());
        caches = NodeKvEvents.start(system, own.caches(), RandomGenerator.getDefault(), this::see);
        var footprint = new SessionFootprint();
        desk = LoadDesk.start(
                system, own.load(), new LoadDesk.Sources(caches::view, footprint, clock, RandomGenerator.getDefault()));
        var bindings = NodeBindings.start(system, own.bindings(), clock, desk::lowestClock);
        clockCheck = new ClockCheck(desk::view, own.bindings().skew());
        sessions = ClusterSessions.start(system, bindings, latencies::asked);
        footprint.follow(system, sessions.hosted(), clock);
        shown = shown(bindings);
        loops = EventLoops.of(system);
        upstream = NettyUpstream.create(own.upstream(), loops, trust.tls().workers());
        var watch = system.systemActorOf(
                FleetWatch.create(probe(trust.tls().workers()), settings.health(), this::seeFleet),
                "kvrouter-fleet-watch",
                Props.empty());
        failover = new NodeFailover(settings, clock, fleet::get, watch);
        register = ReplicatedRegister.start(system, workers -> watch.tell(new FleetWatch.Registered(workers)));
        metrics = new NodeMetrics(self().address().toString(), desk, sessions, fleet::get);
        measure();
        measure(bindings.counts());
        turnReader = turnReader();
        selection = selection(own.selectionApi(), bindings.replica());
    }

    private NodeTokens tokens(NodeTokens.Loaded models, NodeTls tls) {
        var engines = new EngineTokenizer(models.settings().engineTimeout(), tls.workers(), access.workers());
        return NodeTokens.start(
                system, models, engines, worker -> RankSource.published(worker, own.caches()), this::seeTokens);
    }

    private HttpEngineProbe probe(SSLContext tls) {
        var probing = settings.probing();
        var probe = new HttpEngineProbe(probing.timeout(), probing.healthPath(), tls, access.workers(), cards::told);
        system.getWhenTerminated().thenRun(probe::close);
        return probe;
    }

    /** Needs all other parts, so it is made last. */
    private SelectionParts selection(SelectionApiSettings own, BindingReplica replica) {
        var ports = turnPorts();
        var reservations = Reservations.start(system, ports, own.lease(), clock);
        metrics.gauge("kvrouter_reservations_held", "Reservations of the selection API.", reservations::size);
        metrics.counter(
                "kvrouter_reservations_expired_total",
                "Reservations that ended because their caller was not heard for the time of a lease.",
                reservations::expired);
        var changes = BindingChanges.of(replica, own.updates());
        return new SelectionParts(
                access.gate(),
                ports,
                turnReader,
                reservations,
                uid(),
                after -> new BindingReader(replica, changes, after),
                clock);
    }

    private ManagementPorts.SessionPorts shown(NodeBindings bindings) {
        return new ManagementPorts.SessionPorts(
                sessions,
                new ShardView(system, bindings),
                HostedLookup.start(system, sessions.hosted(), clock),
                new BindingPages(bindings.replica()),
                BindingCensus.start(system, bindings),
                new WorkerUnbinding(system, bindings.replica(), sessions));
    }

    private void measure() {
        tokens.measure(metrics);
        failover.measure(metrics);
        metrics.caches(caches::status, caches::partitions);
        metrics.sessions(sessions.hosted(), shown.census()::byWorker);
        metrics.register(latencies);
        metrics.register(new ProcessMetrics());
    }

    private void measure(BindingCounts bindings) {
        var lag = LoopLag.watch(loops, LAG_INTERVAL);
        metrics.gauge(
                "kvrouter_event_loop_lag_seconds",
                "The longest that an event loop was held up since the last scrape.",
                () -> lag.worstSinceLastRead().stream()
                                .mapToLong(Duration::toNanos)
                                .max()
                                .orElse(0)
                        / NANOS);
        metrics.gauge("kvrouter_upstream_calls", "Calls to workers whose answer has not ended.", upstream::openCalls);
        metrics.gauge(
                "kvrouter_session_silent_shards",
                "Shards whose actors were not heard in time: no decision waits for them until they are.",
                sessions::silentShards);
        metrics.bindings(bindings);
    }

    /** Each part adds to the workers what it knows of them, and the last one tells all who decide. */
    private void seeFleet(Fleet changed) {
        tokens.fleet(changed);
    }

    private void seeTokens(Fleet changed) {
        caches.fleet(changed);
    }

    private void see(Fleet changed) {
        failover.see(changed); // before anybody can send a request to a worker on trial
        fleet.set(changed);
        cards.keep(changed);
        desk.fleet(changed);
    }

    TurnPorts turnPorts() {
        var routing = settings.routing();
        return new TurnPorts(
                desk,
                sessions,
                request -> upstream.call(access.workers().sign(request)),
                failover,
                loops::here,
                new MeteredTurns(metrics, latencies),
                new TurnPorts.Limits(failover.retries(), routing.decisionBudget(), routing.countOutput()));
    }

    private long uid() {
        return self().uniqueAddress().longUid();
    }

    /** What the API port serves. */
    Endpoint api(BooleanSupplier ready) {
        var answers = new OwnAnswers(ready, new ModelList(names, cards), RouterVersion.VALUE);
        var ingress = new Ingress(
                system,
                new IngressParts(
                        access.gate(),
                        NodeAccess.quota(system, clock),
                        turnPorts(),
                        turnReader,
                        answers,
                        metrics::answered,
                        own.server().maxBody()));
        return new SelectionApi(
                system, selection, CrossOrigin.around(ingress, own.api().crossOrigin()));
    }

    /** Reads requests as this node's settings say. One for all: it tells turns apart. */
    private TurnReader turnReader() {
        return new TurnReader(
                settings.sessions(), settings.routing().selection().factors(), tokens.prompts(), names, uid());
    }

    private Member self() {
        return Cluster.get(system).selfMember();
    }

    /** {@code obstacle}: why the node takes no requests, if it takes none. */
    ManagementPorts managementPorts(Supplier<Optional<String>> obstacle) {
        return new ManagementPorts(
                access.gate(),
                register,
                fleet::get,
                new ManagementPorts.State(desk, shown, caches::status, clock),
                new ManagementPorts.Routing(
                        turnReader,
                        new Explainer(turnPorts()),
                        settings.routing().selection()),
                metrics::text,
                obstacle);
    }

    /** What stands against this node, if its clock does not agree with the others'. */
    Optional<String> clockObstacle() {
        return clockCheck.getAsBoolean() ? Optional.empty() : Optional.of("its clock is too far off the others'");
    }

    /**
     * Completed when turns can be decided: this node has its part of the sessions, all of them have a home, and it has its
     * part of what workers may have.
     */
    CompletionStage<Done> ready(Readiness readiness) {
        var homes = new ShardHomes(system, sessions, shown.shards());
        return sessions.ready()
                .thenCompose(readiness.waiting(
                        "not all shards of the sessions have a home yet",
                        joined -> homes.settle(settings.join().nodes())))
                .thenCompose(
                        readiness.waiting("it has no part yet of what workers may have", settled -> desk.admitting()));
    }

    NodeMetrics metrics() {
        return metrics;
    }

    /** Registers the workers of this node's own list. */
    void addStaticWorkers() {
        register.addStatic(
                settings.workers().stream().map(Registration::ofStatic).toList());
    }
}
