package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.settings.SessionSettings;
import io.kvrouter.http.turn.TurnPrompt;
import io.kvrouter.http.turn.TurnRequest;
import io.kvrouter.http.turn.TurnRequest.Affinity;
import io.kvrouter.selection.CostFactors;
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
import java.util.stream.Stream;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** Reads a turn out of a request's headers and body. */
public final class TurnReader {
    private static final String ALLOW = "x-router-allow";
    private static final String WORKER = "x-router-worker";
    private static final String GROUP = "x-router-group";
    private static final String COST = "x-router-cost";
    private static final String FINAL = "x-session-final";
    private static final int FORBIDDEN = 403;

    private final SessionSettings sessions;
    private final SessionIds ids;
    private final Set<String> sessionPaths;
    private final CostFactors factors;
    private final PromptSource prompts;
    private final Supplier<Fleet> fleet;
    private final long nodeUid;
    private final AtomicLong turns = new AtomicLong();

    /**
     * Reads turns.
     *
     * @param factors the node's cost factors, of which a trusted caller may set others
     * @param nodeUid makes turns of this node different from those of any other
     */
    public TurnReader(
            SessionSettings sessions, CostFactors factors, PromptSource prompts, Supplier<Fleet> fleet, long nodeUid) {
        this.sessions = sessions;
        this.ids = new SessionIds(sessions);
        this.sessionPaths = sessions.bodyPaths();
        this.factors = factors;
        this.prompts = prompts;
        this.fleet = fleet;
        this.nodeUid = nodeUid;
    }

    /** Of a caller who may override routing, whatever its address. Throws {@link ApiException} 400. */
    public TurnRequest readTrusted(HttpRequest request, byte[] body) {
        return read(RequestHeaders.trusted(request), body);
    }

    /** @throws ApiException 400 or 403 for what can't be routed */
    TurnRequest read(RequestHeaders headers, byte[] bytes) {
        requireTrustedIfRouting(headers);
        CompletionBody body = CompletionBody.parse(bytes, sessionPaths);
        Demand demand = demand(headers, body.model());
        TurnPrompt prompt = prompts.of(demand, adapter(body.model()), body, bytes);
        return new TurnRequest(demand, override(headers), factors(headers), prompt, session(headers, body, demand));
    }

    private static void requireTrustedIfRouting(RequestHeaders headers) {
        if (!headers.trusted()
                && Stream.of(ALLOW, WORKER, GROUP, COST)
                        .anyMatch(name -> headers.first(name).isPresent())) {
            throw new ApiException(ApiError.refused(
                    FORBIDDEN, "not_trusted", "Headers x-router-* are for trusted callers: requests from loopback."));
        }
    }

    /** Written as {@code x-router-cost: temperature=0.5, overlap-credit=2}. */
    private Optional<CostFactors> factors(RequestHeaders headers) {
        return headers.first(COST).map(text -> {
            CostFactors changed = factors;
            for (String factor : text.split(",", -1)) {
                String[] parts = factor.split("=", 2);
                try {
                    changed = changed.with(parts[0].strip(), Double.parseDouble(parts[parts.length - 1].strip()));
                } catch (IllegalArgumentException e) {
                    throw new ApiException(
                            ApiError.badRequest("x-router-cost takes factor=number, one of "
                                    + String.join(", ", CostFactors.NAMES) + ", each >= 0."),
                            e);
                }
            }
            return changed;
        });
    }

    private static Demand demand(RequestHeaders headers, String model) {
        var allow = headers.first(ALLOW);
        var group = headers.first(GROUP);
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
        return ids.find(headers, body, demand)
                .filter(known -> sessions.pins(body.model()))
                .map(known -> {
                    long ttlMs = sessions.ttl(body.model()).toMillis();
                    var turn = new Turn(new TurnId(nodeUid, turns.incrementAndGet()), ttlMs);
                    boolean last = headers.first(FINAL)
                            .filter("true"::equalsIgnoreCase)
                            .isPresent();
                    return new Affinity(known.key(), turn, last, sessions.mode(body.model()));
                });
    }
}
