package io.kvrouter.http.management;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.admission.AdmissionView;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.ShardView;
import io.kvrouter.cluster.session.ShardView.Shard;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /router/...}: load, admission and shards as this node knows them. */
final class StateRoutes {
    private final LoadDesk desk;
    private final ShardView shards;

    StateRoutes(ManagementPorts ports) {
        this.desk = ports.state().desk();
        this.shards = ports.state().sessions().shards();
    }

    Route routes() {
        return pathPrefix(
                "router",
                () -> concat(
                        path("load", () -> get(() -> complete(Json.ok(LoadJson.of(desk.view()))))),
                        path("admission", () -> get(() -> complete(Json.ok(json(desk.admission()))))),
                        path("shards", () -> get(() -> completeWithFuture(shards())))));
    }

    private static ObjectNode json(AdmissionView view) {
        ObjectNode json = Json.object();
        json.put("inside", view.inside());
        json.put("door", view.door() == AdmissionSettings.UNBOUNDED ? null : view.door());
        json.set(
                "waiting",
                Json.object()
                        .put("at_door", view.waitingAtDoor())
                        .put("for_worker", view.waitingForWorker())
                        .put("longest_ms", view.longestWaitMs()));
        json.put("drain_per_second", view.drainPerSecond());
        AdmissionView.Counts counts = view.counts();
        json.put("waited", counts.waited());
        json.put("waited_ms", counts.waitedMs());
        json.set(
                "sent_away",
                Json.object()
                        .put("queue_full", counts.queueFull())
                        .put("deadline", counts.deadline())
                        .put("left", counts.left()));
        return json;
    }

    private CompletionStage<HttpResponse> shards() {
        return shards.shards().thenApply(all -> {
            var list = Json.array();
            all.forEach(shard -> list.add(json(shard)));
            return Json.ok(Json.object().set("shards", list));
        });
    }

    private static ObjectNode json(Shard shard) {
        ObjectNode json = Json.object();
        json.put("shard", Integer.toString(shard.number()));
        json.put("node", shard.node().map(Object::toString).orElse(null));
        json.put("actors", shard.node().map(home -> shard.actors()).orElse(null));
        json.put("bindings", shard.bindings());
        return json;
    }
}
