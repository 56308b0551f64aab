package io.kvrouter.http.management;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.delete;
import static org.apache.pekko.http.javadsl.server.Directives.entity;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.patch;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.worker.WorkerRegister;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.Worker.Health;
import io.kvrouter.worker.WorkerId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/** {@code /workers}: what is registered, and how this node finds it. */
final class WorkerRoutes {
    private static final int NOT_FOUND = 404;

    private final WorkerRegister register;
    private final Supplier<Fleet> fleet;
    private final Supplier<List<WorkerKvStatus>> caches;

    WorkerRoutes(WorkerRegister register, Supplier<Fleet> fleet, Supplier<List<WorkerKvStatus>> caches) {
        this.register = register;
        this.fleet = fleet;
        this.caches = caches;
    }

    Route routes() {
        return pathPrefix(
                "workers",
                () -> concat(
                        pathEnd(() -> concat(get(this::list), post(() -> body(this::register)))),
                        path(
                                segment(),
                                id -> concat(
                                        get(() -> complete(one(id))),
                                        patch(() -> body(json -> change(id, json))),
                                        delete(() -> completeWithFuture(remove(id)))))));
    }

    private static Route body(Function<ObjectNode, CompletionStage<HttpResponse>> act) {
        return extractRequest(request -> {
            Json.require(request);
            return entity(Unmarshaller.entityToString(), text -> completeWithFuture(act.apply(Json.parseObject(text))));
        });
    }

    private Route list() {
        var workers = Json.array();
        Map<WorkerId, WorkerKvStatus> known = caches();
        register.registered().stream()
                .sorted(Comparator.comparing(Registration::id))
                .map(this::seen)
                .forEach(worker -> workers.add(WorkerJson.of(worker, Optional.ofNullable(known.get(worker.id())))));
        return complete(Json.ok(Json.object().set("workers", workers)));
    }

    private HttpResponse one(String id) {
        WorkerId wanted = idOf(id);
        return answer(
                id,
                register.registered().stream()
                        .filter(worker -> worker.id().equals(wanted))
                        .findAny());
    }

    private CompletionStage<HttpResponse> register(ObjectNode json) {
        return register.register(WorkerJson.registration(json)).thenApply(done -> Json.created(json(done)));
    }

    private CompletionStage<HttpResponse> change(String id, ObjectNode json) {
        return register.change(idOf(id), WorkerJson.change(json)).thenApply(changed -> answer(id, changed));
    }

    private CompletionStage<HttpResponse> remove(String id) {
        return register.remove(idOf(id)).thenApply(removed -> answer(id, removed));
    }

    private HttpResponse answer(String id, Optional<Registration> registration) {
        return registration.map(this::json).map(Json::ok).orElseThrow(() -> unknown(id));
    }

    private ObjectNode json(Registration registration) {
        return WorkerJson.of(seen(registration), Optional.ofNullable(caches().get(registration.id())));
    }

    /**
     * What is registered is told as it is registered, so that a caller finds its own change at once; this node's fleet, which
     * follows a moment later, adds how it finds the worker.
     */
    private Worker seen(Registration registration) {
        return fleet.get()
                .worker(registration.id())
                .orElse(new Worker(registration, EngineFacts.UNKNOWN, Health.PENDING, List.of()))
                .with(registration);
    }

    private Map<WorkerId, WorkerKvStatus> caches() {
        return caches.get().stream().collect(Collectors.toMap(WorkerKvStatus::worker, status -> status));
    }

    private static WorkerId idOf(String id) {
        try {
            return new WorkerId(id);
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiError.badRequest(String.valueOf(e.getMessage())), e);
        }
    }

    private static ApiException unknown(String id) {
        return new ApiException(ApiError.refused(NOT_FOUND, "unknown_worker", "There is no worker " + id + "."));
    }
}
