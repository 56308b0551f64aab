package io.kvrouter.http.management;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.handleExceptions;
import static org.apache.pekko.http.javadsl.server.Directives.handleRejections;
import static org.apache.pekko.http.javadsl.server.Directives.path;

import io.kvrouter.access.Operator;
import io.kvrouter.access.Operator.Right;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.management.health.HealthRoutes;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.server.Listening;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.ExceptionHandler;
import org.apache.pekko.http.javadsl.server.MethodRejection;
import org.apache.pekko.http.javadsl.server.RejectionHandler;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.management.javadsl.PekkoManagement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management port: Pekko Management's routes ({@code /cluster/...}, {@code /ready}, {@code /alive}) and ours. It
 * stays open while the node drains, so that {@code /ready} can say so.
 */
public final class ManagementServer {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementServer.class);
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private ManagementServer() {}

    /** Binds a port and serves it. */
    public static CompletionStage<ServerBinding> bind(ActorSystem<?> system, Listening at, ManagementPorts ports) {
        return at.server(system.classicSystem()).bind(routes(system, ports));
    }

    private static Route routes(ActorSystem<?> system, ManagementPorts ports) {
        return handleExceptions(
                errors(), () -> handleRejections(rejections(), () -> allowed(ports.gate(), open(system, ports))));
    }

    /** For those who may; nobody else learns what there is. */
    private static Route allowed(Gate gate, Route routes) {
        return extractRequest(request -> refusal(gate, request)
                .<Route>map(error -> complete(error.response()))
                .orElse(routes));
    }

    /**
     * A page in a browser may ask for what it can't see, and change nothing. Whatever page one shows may have it send a
     * request to a port that only its own machine reaches; the browser says by {@code Origin} that it was a page. This port
     * serves none: one that seems to be of its own origin has had its name pointed at this address.
     */
    private static Optional<ApiError> refusal(Gate gate, HttpRequest request) {
        return !NeededRight.reads(request) && request.getHeader("origin").isPresent()
                ? Optional.of(ApiError.refused(FORBIDDEN, "not_for_pages", "This is not for pages in a browser."))
                : NeededRight.of(request).flatMap(right -> refusal(gate.operator(request), right));
    }

    private static Optional<ApiError> refusal(Optional<Operator> operator, Right needed) {
        if (operator.isEmpty()) {
            return Optional.of(ApiError.unauthorized());
        }
        return operator.get().may(needed)
                ? Optional.empty()
                : Optional.of(ApiError.refused(FORBIDDEN, "right_missing", "This key is not for that."));
    }

    private static Route open(ActorSystem<?> system, ManagementPorts ports) {
        return concat(
                new WorkerRoutes(ports.register(), ports.fleet(), ports.state().caches()).routes(),
                new SessionRoutes(ports).routes(),
                new StateRoutes(ports).routes(),
                new ExplainRoutes(ports.routing()).routes(),
                new HealthRoutes(system, ports.obstacle()).routes(),
                path("metrics", () -> get(() -> complete(metrics(ports)))),
                PekkoManagement.get(system).getRoutes());
    }

    private static HttpResponse metrics(ManagementPorts ports) {
        return HttpResponse.create()
                .withEntity(ContentTypes.TEXT_PLAIN_UTF8, ports.metrics().get());
    }

    private static ExceptionHandler errors() {
        return ExceptionHandler.newBuilder()
                .matchAny(failure -> complete(error(failure).response()))
                .build();
    }

    private static ApiError error(Throwable failure) {
        Throwable cause = Cause.of(failure);
        if (cause instanceof ApiException known) {
            return known.error();
        }
        LOG.error("a management request failed", cause);
        return ApiError.internal();
    }

    private static HttpResponse notAllowed(List<MethodRejection> rejected) {
        String methods = rejected.stream()
                .map(rejection -> rejection.supported().name())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return ApiError.refused(NOT_ALLOWED, "method_not_allowed", "This path takes " + methods + ".")
                .response()
                .addHeader(RawHeader.create("Allow", methods));
    }

    private static RejectionHandler rejections() {
        return RejectionHandler.newBuilder()
                .handleAll(MethodRejection.class, rejected -> complete(notAllowed(rejected)))
                .handleNotFound(complete(ApiError.refused(NOT_FOUND, "unknown_path", "There is nothing at this path.")
                        .response()))
                .build();
    }
}
