package io.kvrouter.http.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.hosted.HostedPeer;
import io.kvrouter.cluster.overview.BindingPages;
import io.kvrouter.cluster.overview.WorkerUnbinding;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Version;
import io.kvrouter.worker.WorkerId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pekko.actor.Address;

/** Sessions as they are answered: by key, never by id. */
final class SessionJson {
    private SessionJson() {}

    /** What the replica tells. */
    static ObjectNode row(BindingRow row, long nowMs) {
        ObjectNode json = Json.object();
        json.put("key", row.key().toString());
        json.put("worker", String.valueOf(row.worker()));
        json.put("rank", row.rank());
        json.put("version", row.version());
        json.put("age_ms", Math.max(0, nowMs - Version.madeAtMs(row.version())));
        json.put("deadline", Instant.ofEpochMilli(row.deadlineMs()).toString());
        json.put("shard", Integer.toString(row.key().shard()));
        return json;
    }

    /** And what only the session's actor knows, null where that is not heard or does not know it. */
    static ObjectNode one(BindingRow row, long nowMs, Optional<Address> node, Optional<HostedPeer.Told> told) {
        ObjectNode json = row(row, nowMs);
        json.put("node", node.map(Object::toString).orElse(null));
        json.put(
                "context_tokens",
                told.map(HostedPeer.Told::contextTokens)
                        .filter(tokens -> tokens > 0)
                        .orElse(null));
        json.put("idle_ms", told.map(HostedPeer.Told::idleMs).orElse(null));
        return json;
    }

    static ObjectNode page(BindingPages.Page page, Map<WorkerId, Long> byWorker, long nowMs) {
        ObjectNode json = Json.object();
        var sessions = json.putArray("sessions");
        page.rows().forEach(row -> sessions.add(row(row, nowMs)));
        json.put("next", page.next().map(SessionKey::toString).orElse(null));
        ObjectNode bound = json.putObject("bound");
        bound.put("total", byWorker.values().stream().mapToLong(Long::longValue).sum());
        ObjectNode workers = bound.putObject("workers");
        new TreeMap<>(byWorker).forEach((worker, count) -> workers.put(worker.value(), count));
        return json;
    }

    static ObjectNode progress(WorkerId worker, WorkerUnbinding.Progress progress) {
        return Json.object()
                .put("worker", worker.value())
                .put("sessions", progress.sessions())
                .put("unbound", progress.unbound())
                .put("done", progress.done());
    }
}
