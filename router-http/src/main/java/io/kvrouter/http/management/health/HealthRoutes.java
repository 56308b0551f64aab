package io.kvrouter.http.management.health;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.management.HealthCheckSettings;
import org.apache.pekko.management.javadsl.HealthChecks;

/**
 * {@code /ready} and {@code /alive}, at the paths of Pekko Management's and with all of its checks. Its own answer to one
 * that fails is 500 and the name of a class that nobody wrote.
 */
public final class HealthRoutes {
    private static final String CONFIG = "pekko.management.health-checks";

    private final HealthChecks checks;
    private final Supplier<Optional<String>> obstacle;

    /** {@code obstacle}: why this node takes no requests, in words; empty if it does. */
    public HealthRoutes(ActorSystem<?> system, Supplier<Optional<String>> obstacle) {
        var config = system.settings().config().getConfig(CONFIG);
        this.checks =
                new HealthChecks((ExtendedActorSystem) Adapter.toClassic(system), HealthCheckSettings.create(config));
        this.obstacle = obstacle;
    }

    /** What is at the two paths. */
    public Route routes() {
        return concat(
                path("ready", () -> get(() -> completeWithFuture(ready()))),
                path("alive", () -> get(() -> completeWithFuture(alive()))));
    }

    private CompletionStage<HttpResponse> ready() {
        return obstacle.get()
                .map(why -> CompletableFuture.completedStage(unavailable("not ready: " + why)))
                .orElseGet(() -> answer(checks.ready(), "not ready: a check of " + CONFIG + ".readiness-checks fails"));
    }

    private CompletionStage<HttpResponse> alive() {
        return answer(checks.alive(), "not alive: a check of " + CONFIG + ".liveness-checks fails");
    }

    /** A check that breaks, or does not end in time, fails. */
    private static CompletionStage<HttpResponse> answer(CompletionStage<Boolean> holds, String otherwise) {
        return holds.handle((all, failure) -> failure == null && all ? text("OK") : unavailable(otherwise));
    }

    private static HttpResponse unavailable(String why) {
        return text(why).withStatus(StatusCodes.SERVICE_UNAVAILABLE);
    }

    private static HttpResponse text(String words) {
        return HttpResponse.create().withEntity(ContentTypes.TEXT_PLAIN_UTF8, words);
    }
}
