package io.kvrouter.bench.sessions;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.bench.Samples;
import io.kvrouter.bench.cluster.Buckets;
import java.io.IOException;
import java.nio.file.Path;

/** The result of a {@link SessionsBench} for machines: counts and whole histograms. Times in ms but where it says s. */
final class SessionsJson {
    private static final double NANOS_A_MS = 1e6;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};

    private final ObjectMapper json = new ObjectMapper();
    private final SessionsResult result;
    private final String machine;

    SessionsJson(SessionsResult result, String machine) {
        this.result = result;
        this.machine = machine;
    }

    void write(Path file) throws IOException {
        var root = json.createObjectNode()
                .put("machine", machine)
                .put("heap", result.plan().heap());
        root.set(
                "plan",
                json.createObjectNode()
                        .put("nodes", result.plan().cluster().nodes())
                        .put("workers", result.plan().cluster().workers())
                        .put("sessions", result.plan().load().sessions())
                        .put("rate", result.plan().load().rate())
                        .put("new_share", result.plan().load().newShare()));
        root.set("fill", phase(result.fill()));
        var memory = root.putArray("memory");
        result.memory()
                .forEach(node -> memory.addObject()
                        .put("node", node.node())
                        .put("empty_heap_bytes", node.emptyHeapBytes())
                        .put("heap_bytes", node.heapBytes())
                        .put("resident_bytes", node.residentBytes()));
        var phases = root.putArray("phases");
        result.phases().forEach(phase -> phases.add(phase(phase)));
        var faults = root.putArray("faults");
        result.faults().forEach(fault -> faults.add(fault(fault)));
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }

    private ObjectNode phase(PhaseResult phase) {
        var turns = phase.turns();
        var inside = phase.inside();
        var node = json.createObjectNode()
                .put("phase", phase.name())
                .put("s", phase.seconds())
                .put("succeeded", turns.succeeded())
                .put("failed", turns.failed())
                .put("lost_with_node", turns.lostWithNode())
                .put("refused_connects", turns.refusedConnects())
                .put("unheard", inside.timeouts())
                .put("unawaited", inside.unawaited())
                .put("gc_s", inside.gcSeconds());
        node.set("failures", json.valueToTree(turns.failures()));
        node.set("decisions", json.valueToTree(turns.decisions()));
        node.set("cpu_s", json.valueToTree(phase.cpuSeconds()));
        node.set("resolve", buckets(inside.resolve()));
        node.set("ask_local", buckets(inside.local()));
        node.set("ask_remote", buckets(inside.remote()));
        node.set("client", samples(turns.answered()));
        node.set("client_of_struck_node", samples(turns.held()));
        return node;
    }

    private ObjectNode buckets(Buckets times) {
        var node = json.createObjectNode().put("count", times.count());
        for (double percent : PERCENTILES) {
            node.put("p" + percent, times.percentileMs(percent));
        }
        var counts = node.putObject("counts_by_upper_bound_s");
        times.counts().forEach((bound, count) -> counts.put(Double.toString(bound), count));
        return node;
    }

    private ObjectNode samples(Samples times) {
        var node = json.createObjectNode().put("count", times.count());
        for (double percent : PERCENTILES) {
            node.put("p" + percent, times.percentile(percent) / NANOS_A_MS);
        }
        return node;
    }

    private ObjectNode fault(FaultResult fault) {
        var changes = fault.changes();
        var silence = fault.silence();
        return json.createObjectNode()
                .put("fault", fault.fault().title())
                .put("node", fault.node())
                .put("healed_s", fault.healedSeconds())
                .put("silent_from_s", silence.fromSeconds())
                .put("silent_until_s", silence.untilSeconds())
                .put("silent_shards", silence.most())
                .put("asked", changes.asked())
                .put("changed_rebound", changes.rebound())
                .put("changed_silently", changes.silent())
                .put("changed_unheard", changes.unheard())
                .put("changed_young", changes.young())
                .put("changed_bound_later", changes.later())
                .put("forgotten", changes.forgotten())
                .put("logged_turns", fault.logs().turns())
                .put("log_contradictions", fault.logs().contradictions());
    }
}
