package io.kvrouter.http.management;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.ShardView;
import io.kvrouter.cluster.session.ShardView.Shard;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /router/...}: load and shards as this node knows them. */
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
                () -> get(() -> concat(
                        path("load", () -> complete(Json.ok(LoadJson.of(desk.view())))),
                        path("shards", () -> completeWithFuture(shards())))));
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
        json.put("actors", shard.actors());
        json.put("bindings", shard.bindings());
        return json;
    }
}
