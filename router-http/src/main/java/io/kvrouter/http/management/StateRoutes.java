package io.kvrouter.http.management;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.parameterOptional;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.cluster.session.ShardView;
import io.kvrouter.cluster.session.ShardView.Shard;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.session.Version;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /router/...}: load, sessions and shards as this node knows them. Looking creates no actor. */
final class StateRoutes {
    private static final int NOT_FOUND = 404;

    private final LoadDesk desk;
    private final Sessions sessions;
    private final ShardView shards;
    private final Supplier<Fleet> fleet;
    private final InstantSource clock;

    StateRoutes(ManagementPorts ports) {
        this.desk = ports.state().desk();
        this.sessions = ports.state().sessions();
        this.shards = ports.state().shards();
        this.fleet = ports.fleet();
        this.clock = ports.state().clock();
    }

    Route routes() {
        return pathPrefix(
                "router",
                () -> get(() -> concat(
                        path("load", () -> complete(Json.ok(LoadJson.of(desk.view())))),
                        path("shards", () -> completeWithFuture(shards())),
                        path(segment("sessions").slash(segment()), this::session))));
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

    private Route session(String id) {
        return parameterOptional(
                "group",
                group -> parameterOptional(
                        "caller",
                        caller -> parameterOptional(
                                "model", model -> completeWithFuture(session(id, group, caller, model)))));
    }

    private CompletionStage<HttpResponse> session(
            String id, Optional<String> group, Optional<String> caller, Optional<String> model) {
        String inGroup = group.orElse(Registration.DEFAULT_GROUP);
        var key = new SessionIdentity(inGroup, model.orElseGet(this::onlyModel), caller.orElse(""), id).key();
        BindingRow row = sessions.row(key).filter(r -> r.usable(clock.millis())).orElseThrow(StateRoutes::unknown);
        return shards.shard(key).thenApply(shard -> Json.ok(json(row, shard)));
    }

    /** The model of sessions is part of their key; where the fleet has one only, it need not be said. */
    private String onlyModel() {
        var models = fleet.get().workers().stream()
                .flatMap(worker -> worker.facts().models().stream())
                .distinct()
                .toList();
        if (models.size() != 1) {
            throw new ApiException(ApiError.badRequest("The workers serve several models: say ?model=.", "model"));
        }
        return models.getFirst();
    }

    private static ApiException unknown() {
        return new ApiException(ApiError.refused(NOT_FOUND, "unknown_session", "No such session is bound."));
    }

    private ObjectNode json(BindingRow row, Shard shard) {
        long boundMs = Version.madeAtMs(row.version());
        ObjectNode json = Json.object();
        json.put("key", row.key().toString());
        json.put("worker", String.valueOf(row.worker()));
        json.put("rank", row.rank());
        json.put("version", row.version());
        json.put("age_ms", Math.max(0, clock.millis() - boundMs));
        json.put("deadline", Instant.ofEpochMilli(row.deadlineMs()).toString());
        json.put("shard", Integer.toString(shard.number()));
        json.put("node", shard.node().map(Object::toString).orElse(null));
        return json;
    }
}
