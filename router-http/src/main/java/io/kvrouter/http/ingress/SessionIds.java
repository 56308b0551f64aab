package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.settings.SessionSettings;
import io.kvrouter.http.settings.SessionSource;
import io.kvrouter.http.settings.SessionSource.BodyField;
import io.kvrouter.http.settings.SessionSource.HeaderField;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.worker.Demand;
import java.util.Optional;

/**
 * Finds the session of a request: the first of the configured places that has an id counts. One that is empty has none,
 * as clients write what they were not told. Of a header that is repeated the first counts.
 */
final class SessionIds {
    private final SessionSettings settings;

    SessionIds(SessionSettings settings) {
        this.settings = settings;
    }

    /** @throws ApiException 400 for an id that is too long, or has control characters */
    Optional<SessionIdentity> find(RequestHeaders headers, CompletionBody body, Demand demand) {
        String caller = headers.caller().name();
        for (SessionSource source : settings.sources()) {
            Optional<SessionIdentity> found = switch (source) {
                case HeaderField(var name, var agent) ->
                    present(headers, name)
                            .map(id -> identity(
                                    demand,
                                    caller,
                                    name,
                                    id,
                                    agent.flatMap(of -> present(headers, of)).orElse("")));
                case BodyField(var path) ->
                    Optional.ofNullable(body.sessionFields().get(path))
                            .filter(id -> !id.isEmpty())
                            .map(id -> identity(demand, caller, path, id, ""));
            };
            if (found.isPresent()) {
                return found;
            }
        }
        return fingerprint(body, demand, caller);
    }

    private static Optional<String> present(RequestHeaders headers, String name) {
        return headers.first(name).filter(value -> !value.isEmpty());
    }

    private Optional<SessionIdentity> fingerprint(CompletionBody body, Demand demand, String caller) {
        return settings.fingerprint() && settings.pins(demand.model())
                ? Fingerprint.of(body.opening()).map(id -> identity(demand, caller, "messages", id, ""))
                : Optional.empty();
    }

    static SessionIdentity identity(Demand demand, String caller, String source, String id, String agent) {
        try {
            return new SessionIdentity(demand.group(), demand.model(), caller, id, agent);
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiError.badRequest(String.valueOf(e.getMessage()), source), e);
        }
    }
}
