package io.kvrouter.http.management;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.delete;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.cluster.session.ShardView;
import io.kvrouter.http.management.ManagementPorts.SessionPorts;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.session.Answer;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.Address;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * {@code /router/sessions}: all, one by id, one by key; shown and ended. Looking reads this node's replica and creates
 * no actor.
 */
final class SessionRoutes {
    /** How long an operator waits; what was asked for goes on. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int NOT_FOUND = 404;

    private final SessionPorts ports;
    private final Sessions sessions;
    private final Supplier<Fleet> fleet;
    private final InstantSource clock;

    SessionRoutes(ManagementPorts ports) {
        this.ports = ports.state().sessions();
        this.sessions = this.ports.sessions();
        this.fleet = ports.fleet();
        this.clock = ports.state().clock();
    }

    Route routes() {
        return pathPrefix(
                segment("router").slash("sessions"),
                () -> concat(
                        pathEnd(() -> concat(get(() -> answer(this::list)), delete(() -> answer(this::unbindAll)))),
                        path(segment("key").slash(segment()), text -> one(request -> SessionQuery.key(text, request))),
                        path(segment(), id -> one(request -> SessionQuery.key(id, request, this::onlyModel)))));
    }

    private Route one(Function<HttpRequest, SessionKey> key) {
        return concat(
                get(() -> answer(request -> show(key.apply(request)))),
                delete(() -> answer(request -> unbind(key.apply(request)))));
    }

    private static Route answer(Function<HttpRequest, CompletionStage<HttpResponse>> answer) {
        return extractRequest(request -> completeWithFuture(answer.apply(request)));
    }

    private CompletionStage<HttpResponse> list(HttpRequest request) {
        long now = clock.millis();
        var page = ports.pages().page(SessionQuery.page(request), now);
        return CompletableFuture.completedStage(
                Json.ok(SessionJson.page(page, ports.census().byWorker(), now)));
    }

    private CompletionStage<HttpResponse> show(SessionKey key) {
        BindingRow row = sessions.row(key).filter(r -> r.usable(clock.millis())).orElseThrow(SessionRoutes::unknown);
        return home(key)
                .thenCompose(node -> node.map(address -> ports.hosted().ask(address, key))
                        .orElseGet(() -> CompletableFuture.completedStage(Optional.empty()))
                        .thenApply(told -> Json.ok(SessionJson.one(row, clock.millis(), node, told))));
    }

    private CompletionStage<Optional<Address>> home(SessionKey key) {
        return ports.shards().shard(key).handle((shard, failure) -> failure == null ? node(shard) : Optional.empty());
    }

    private static Optional<Address> node(ShardView.Shard shard) {
        return shard.node();
    }

    /** Asks the actor whatever the replica says: a binding of this moment may not be in it yet. */
    private CompletionStage<HttpResponse> unbind(SessionKey key) {
        long seen = sessions.row(key)
                .filter(row -> row.removed() || row.usable(clock.millis()))
                .map(BindingRow::version)
                .orElse(0L);
        return sessions.unbind(key)
                .toCompletableFuture()
                .copy()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((answer, failure) ->
                        unbound(key, seen, failure == null ? Optional.of(answer) : Optional.empty()));
    }

    /** A removal is a new version: where none was made, there was no session. */
    private static HttpResponse unbound(SessionKey key, long seen, Optional<Answer> answer) {
        Answer heard = answer.orElseThrow(() -> new ApiException(ApiError.sessionNotHeard()));
        if (heard.version() <= seen || heard.version() == 0) {
            throw unknown();
        }
        return Json.ok(Json.object()
                .put("key", key.toString())
                .put("version", heard.version())
                .put("unbound", true));
    }

    private CompletionStage<HttpResponse> unbindAll(HttpRequest request) {
        WorkerId worker = SessionQuery.worker(request);
        return ports.unbinding().unbind(worker, clock.millis(), PATIENCE).thenApply(progress -> {
            var response = Json.ok(SessionJson.progress(worker, progress));
            return progress.done() ? response : response.withStatus(StatusCodes.ACCEPTED);
        });
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
}
