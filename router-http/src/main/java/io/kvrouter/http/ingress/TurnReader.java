package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.settings.SessionSettings;
import io.kvrouter.http.turn.TurnRequest;
import io.kvrouter.http.turn.TurnRequest.Affinity;
import io.kvrouter.kv.Prompt;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnId;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reads a turn out of a request's headers and body. */
final class TurnReader {
    private static final String ALLOW = "x-router-allow";
    private static final String WORKER = "x-router-worker";
    private static final String GROUP = "x-router-group";
    private static final String FINAL = "x-session-final";
    private static final int FORBIDDEN = 403;
    private static final String NO_CALLER = "";

    private final SessionSettings sessions;
    private final Supplier<Fleet> fleet;
    private final long nodeUid;
    private final AtomicLong turns = new AtomicLong();

    TurnReader(SessionSettings sessions, Supplier<Fleet> fleet, long nodeUid) {
        this.sessions = sessions;
        this.fleet = fleet;
        this.nodeUid = nodeUid;
    }

    /** @throws ApiException 400 or 403 for what can't be routed */
    TurnRequest read(RequestHeaders headers, CompletionBody body) {
        Demand demand = demand(headers, body.model());
        var prompt = Prompt.ofText(
                body.prompt(), adapter(body.model()), body.cacheSalt().orElse(""));
        return new TurnRequest(demand, override(headers), prompt, session(headers, body, demand));
    }

    private Demand demand(RequestHeaders headers, String model) {
        var allow = headers.first(ALLOW);
        var worker = headers.first(WORKER);
        var group = headers.first(GROUP);
        if (!headers.trusted() && (allow.isPresent() || worker.isPresent() || group.isPresent())) {
            throw new ApiException(ApiError.refused(
                    FORBIDDEN, "not_trusted", "Headers x-router-* are for trusted callers: requests from loopback."));
        }
        Set<WorkerId> allowed = allow.map(TurnReader::ids).orElse(Set.of());
        if (allow.isPresent() && allowed.isEmpty()) { // which would allow them all
            throw new ApiException(ApiError.badRequest("x-router-allow names no worker."));
        }
        return new Demand(group.orElse(Registration.DEFAULT_GROUP), model, allowed);
    }

    private static Optional<WorkerId> override(RequestHeaders headers) {
        return headers.first(WORKER).map(String::strip).map(TurnReader::id);
    }

    private static Set<WorkerId> ids(String list) {
        return Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .map(TurnReader::id)
                .collect(Collectors.toSet());
    }

    private static WorkerId id(String text) {
        try {
            return new WorkerId(text);
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiError.badRequest("x-router-allow and x-router-worker take worker ids."), e);
        }
    }

    private String adapter(String model) {
        boolean adapter = fleet.get().workers().stream()
                .anyMatch(worker -> worker.facts().adapters().contains(model));
        return adapter ? model : "";
    }

    private Optional<Affinity> session(RequestHeaders headers, CompletionBody body, Demand demand) {
        long ttlMs = sessions.ttl(body.model()).toMillis();
        return sessionId(headers, body)
                .map(id -> identity(demand, id))
                .filter(known -> ttlMs > 0)
                .map(known -> {
                    var turn = new Turn(new TurnId(nodeUid, turns.incrementAndGet()), ttlMs);
                    boolean last = headers.first(FINAL)
                            .filter("true"::equalsIgnoreCase)
                            .isPresent();
                    return new Affinity(known.key(), turn, last);
                });
    }

    private Optional<String> sessionId(RequestHeaders headers, CompletionBody body) {
        return sessions.headers().stream()
                .flatMap(name -> headers.first(name).stream())
                .findFirst()
                .or(() -> sessions.bodyFields().stream()
                        .flatMap(
                                name -> Optional.ofNullable(body.sessionFields().get(name)).stream())
                        .findFirst());
    }

    private static SessionIdentity identity(Demand demand, String id) {
        try {
            return new SessionIdentity(demand.group(), demand.model(), NO_CALLER, id);
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiError.badRequest(String.valueOf(e.getMessage()), "session_id"), e);
        }
    }
}
