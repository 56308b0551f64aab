package io.kvrouter.bench.soak.leak;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.cluster.Scrape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one node still shows of requests and sessions, by its management port. */
final class NodeResidue {
    /** Metrics that are zero when nobody asks anything, and what they count. */
    private static final Map<String, String> GAUGES = new TreeMap<>(Map.of(
            "kvrouter_requests_in_flight", "requests in flight",
            "kvrouter_upstream_calls", "calls to workers",
            "kvrouter_reservations_held", "held reservations",
            "kvrouter_session_actors", "session actors"));

    private static final List<String> LOAD = List.of("requests", "prefill_tokens", "decode_blocks", "footprint_tokens");
    private static final Pattern WORKER = Pattern.compile("worker=\"([^\"]+)\"");
    private static final Pattern PEER = Pattern.compile("peer=\"[^\"]*@([^\"]+)\"");

    private final Expected expected;
    private final List<Leak> leaks = new ArrayList<>();

    /**
     * What may be told of.
     *
     * @param node whose residue it is
     * @param workers ids of those that are registered
     * @param others the addresses of the other nodes
     */
    record Expected(String node, Set<String> workers, Set<String> others) {}

    private NodeResidue(Expected expected) {
        this.expected = expected;
    }

    /** Of one node, by all that it tells. */
    static List<Leak> of(LocalNode node, Expected expected) throws IOException, InterruptedException {
        return of(expected, node.get("/router/load"), node.scrape(), node.get("/router/shards"));
    }

    static List<Leak> of(Expected expected, JsonNode load, Scrape metrics, JsonNode shards) {
        var residue = new NodeResidue(expected);
        residue.load(load);
        residue.metrics(metrics);
        residue.sessions(shards);
        return residue.leaks;
    }

    private void load(JsonNode view) {
        loads("own", view.path("own"));
        loads("total", view.path("total"));
        List<String> seen = new ArrayList<>();
        for (JsonNode peer : view.path("nodes")) {
            String address = peer.path("node").asText();
            seen.add(address.substring(address.indexOf('@') + 1));
            loads("of " + address, peer.path("workers"));
        }
        if (seen.size() != expected.others.size() || !expected.others.containsAll(seen)) {
            leak("peers", seen + " (expected: " + expected.others + ")");
        }
        if (view.path("rows").asLong() != 0) {
            leak("rows of load", view.path("rows").asText());
        }
    }

    private void loads(String whose, JsonNode byWorker) {
        byWorker.properties()
                .forEach(worker -> worker.getValue()
                        .properties()
                        .forEach(rank -> LOAD.stream()
                                .filter(kind -> rank.getValue().path(kind).asLong() != 0)
                                .forEach(kind -> leak(
                                        kind,
                                        whose + ", worker " + worker.getKey() + ", "
                                                + rank.getValue().path(kind)))));
    }

    private void metrics(Scrape metrics) {
        GAUGES.forEach((name, what) -> {
            if (metrics.value(name) != 0) {
                leak(what, Double.toString(metrics.value(name)));
            }
        });
        if (metrics.names().isEmpty()) {
            leak("metrics", "none");
        }
        for (String series : metrics.names()) {
            foreign(series, WORKER, expected.workers);
            foreign(series, PEER, expected.others);
        }
    }

    private void foreign(String series, Pattern label, Set<String> known) {
        Matcher matcher = label.matcher(series);
        if (matcher.find() && !known.contains(matcher.group(1))) {
            leak("metric series of what is gone", series);
        }
    }

    private void sessions(JsonNode shards) {
        long bindings = 0;
        for (JsonNode shard : shards.path("shards")) {
            bindings += shard.path("bindings").asLong();
        }
        if (bindings != 0) {
            leak("bindings", Long.toString(bindings));
        }
    }

    private void leak(String kind, String what) {
        leaks.add(new Leak(kind, expected.node, what));
    }
}
