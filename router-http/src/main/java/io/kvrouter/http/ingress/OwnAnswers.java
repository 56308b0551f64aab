package io.kvrouter.http.ingress;

import io.kvrouter.access.Caller;
import io.kvrouter.http.models.ModelList;
import io.kvrouter.http.openai.ApiError;
import java.util.function.BooleanSupplier;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;

/**
 * What a node answers by itself, from its snapshots.
 *
 * @param ready whether this node takes requests
 * @param version of this router
 */
public record OwnAnswers(BooleanSupplier ready, ModelList models, String version) {

    /** Tells of models what the caller may ask for. */
    HttpResponse to(Surface.Own asked, Caller caller) {
        return switch (asked) {
            case Surface.Models list -> json(models.json(caller));
            case Surface.Model(String name) ->
                models.json(name, caller)
                        .map(OwnAnswers::json)
                        .orElseGet(() -> ApiError.noSuchModel().response());
            case Surface.Health health ->
                ready.getAsBoolean()
                        ? json("{\"status\":\"ok\"}")
                        : json("{\"status\":\"not ready\"}").withStatus(StatusCodes.SERVICE_UNAVAILABLE);
            case Surface.Version it -> json("{\"version\":\"" + version + "\"}");
        };
    }

    private static HttpResponse json(String body) {
        return HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, body);
    }
}
