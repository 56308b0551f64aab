package io.kvrouter.bench.faults;

import io.kvrouter.bench.faults.client.Crowd;
import io.kvrouter.bench.faults.client.Tally;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.proxy.FaultProxy;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A node between clients that leave and a network that fails. First all is well, and what the process holds is counted;
 * then connections are cut, reset, stalled, filled with garbage, dripped and half closed, and workers die; then all is
 * well again: every request must be served, and nothing may be left of what was before.
 */
public final class FaultsBench {
    private static final int CALM_SECONDS = 3;
    private static final int SLACK = 24;
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int PROBES = 3; // connections of health checks to a worker
    private static final double SPEEDUP = 50;
    private static final String[] TOLD = {
        "kvrouter_retries_total{reason=\"connect\"}",
        "kvrouter_retries_total{reason=\"reset\"}",
        "kvrouter_retries_total{reason=\"pushed_back\"}",
        "kvrouter_retries_denied_total",
        "kvrouter_call_outcomes_total{outcome=\"answered\"}",
        "kvrouter_call_outcomes_total{outcome=\"failed\"}",
        "kvrouter_call_outcomes_total{outcome=\"broke_off\"}"
    };

    private final FaultPlan plan;
    private final NodeHere node;
    private final Weather weather;

    private FaultsBench(FaultPlan plan, NodeHere node, Weather weather) {
        this.plan = plan;
        this.node = node;
        this.weather = weather;
    }

    /** Runs it all, in this process. */
    public static FaultsReport run(FaultPlan plan) throws InterruptedException {
        var engine = EngineSettings.DEFAULT.withSpeed(1, SPEEDUP);
        try (var log = LoudLog.listen();
                var fleet = SimulatedFleet.start(plan.workers(), 0, SimSettings.DEFAULT.withEngine(engine));
                var weather = new Weather(fleet, plan.seed());
                var node = NodeHere.start(PATIENCE)) {
            node.register(weather.proxies().stream().map(FaultProxy::url).toList());
            return new FaultsBench(plan, node, weather).run(log);
        }
    }

    private FaultsReport run(LoudLog log) throws InterruptedException {
        calm("before", plan.rate());
        quiet();
        Remains before = Remains.now();
        var storm = new Tally(weather::met);
        Thread sky = Thread.ofVirtual().start(() -> weather.rage(plan.seconds() * 1_000L));
        new Crowd(node.port(), storm, true).run("storm", plan.rate(), plan.seconds(), plan.seed());
        sky.join();
        NodeHere.await(() -> node.available() == plan.workers());
        Map<String, Long> after = calm("after", Math.max(1, plan.rate() / 4));
        boolean ended = quiet();
        Map<String, Long> left = Remains.now().beyond(before, SLACK);
        return new FaultsReport(storm, after, ended, left, log.lines(), told());
    }

    /** Requests without faults; answers what did not go well. */
    private Map<String, Long> calm(String name, int rate) throws InterruptedException {
        var tally = new Tally(id -> false);
        new Crowd(node.port(), tally, false).run(name, rate, CALM_SECONDS, plan.seed());
        Map<String, Long> counts = tally.counts();
        counts.remove("200");
        return counts;
    }

    /** Whether nothing runs any more: no call, no load, no connection to a worker but those of health checks, no session. */
    private boolean quiet() {
        return NodeHere.await(() -> node.metric("kvrouter_upstream_calls") == 0
                && node.metric("kvrouter_requests_in_flight") == 0
                && node.load() == 0
                && node.metric("kvrouter_session_actors") == 0
                && weather.open() <= PROBES * plan.workers());
    }

    private Map<String, Long> told() {
        Map<String, Long> told = new LinkedHashMap<>(weather.faults());
        told.put("requests that a fault met", weather.met());
        for (String series : TOLD) {
            told.put(series.replaceFirst("kvrouter_", ""), (long) node.metric(series));
        }
        return told;
    }
}
