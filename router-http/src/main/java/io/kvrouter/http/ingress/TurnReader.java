package io.kvrouter.http.ingress;

import io.kvrouter.access.Caller;
import io.kvrouter.admission.Ticket;
import io.kvrouter.http.models.ModelNames;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.openai.Operation;
import io.kvrouter.http.openai.Operation.Work;
import io.kvrouter.http.settings.SessionSettings;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.http.turn.request.TurnRequest.Affinity;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnId;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.WorkerId;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** Reads a turn out of a request's headers and body. */
public final class TurnReader {
    private static final String ALLOW = "x-router-allow";
    private static final String WORKER = "x-router-worker";
    private static final String GROUP = "x-router-group";
    private static final String COST = "x-router-cost";
    private static final String PRIORITY = "x-router-priority";
    private static final String FINAL = "x-session-final";

    private final SessionSettings sessions;
    private final SessionIds ids;
    private final Set<String> sessionPaths;
    private final CostFactors factors;
    private final PromptSource prompts;
    private final ModelNames names;
    private final long nodeUid;
    private final AtomicLong turns = new AtomicLong();

    /**
     * Reads turns.
     *
     * @param factors the node's cost factors, of which a trusted caller may set others
     * @param nodeUid makes turns of this node different from those of any other
     */
    public TurnReader(
            SessionSettings sessions, CostFactors factors, PromptSource prompts, ModelNames names, long nodeUid) {
        this.sessions = sessions;
        this.ids = new SessionIds(sessions);
        this.sessionPaths = sessions.bodyPaths();
        this.factors = factors;
        this.prompts = prompts;
        this.names = names;
        this.nodeUid = nodeUid;
    }

    /**
     * A request that was read.
     *
     * @param rewritten its body, where that had to change: it asks for an alias
     */
    record Read(TurnRequest turn, Optional<byte[]> rewritten) {}

    /** A completion request of this caller, whoever brings it. Throws {@link ApiException} 400 or 403. */
    public TurnRequest readOf(Caller caller, HttpRequest request, byte[] body) {
        var headers = new RequestHeaders(request, caller);
        return read(headers, Operation.CHAT_OR_COMPLETION, body, ticket(headers))
                .turn();
    }

    /** For a request of which no more than its headers is known. What is wrong with them is said when it is read. */
    Ticket ticket(RequestHeaders headers) {
        int priority = headers.prioritised() ? priority(headers).orElse(Ticket.NO_PRIORITY) : Ticket.NO_PRIORITY;
        return new Ticket(headers.caller().contends(), priority);
    }

    private static OptionalInt priority(RequestHeaders headers) {
        try {
            return headers.first(PRIORITY)
                    .map(String::strip)
                    .map(Integer::parseInt)
                    .map(OptionalInt::of)
                    .orElse(OptionalInt.empty());
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** A trusted caller's own word counts, in the header before the body. */
    private static void prioritise(Ticket ticket, RequestHeaders headers, CompletionBody body) {
        if (headers.first(PRIORITY).isPresent() && priority(headers).isEmpty()) {
            throw new ApiException(
                    ApiError.badRequest("x-router-priority takes a whole number; the lower goes first."));
        }
        if (headers.prioritised() && headers.first(PRIORITY).isEmpty()) {
            body.priority().ifPresent(ticket::prioritise);
        }
    }

    /**
     * Reads the turn of a request that has this ticket.
     *
     * @throws ApiException 400 or 403 for what can't be routed
     */
    Read read(RequestHeaders headers, Operation operation, byte[] bytes, Ticket ticket) {
        refusal(headers).ifPresent(error -> {
            throw new ApiException(error);
        });
        boolean asks = operation.work() == Work.ASKS;
        CompletionBody body = asks
                ? CompletionBody.ofQuestion(bytes, operation)
                : CompletionBody.parse(bytes, operation, sessionPaths);
        prioritise(ticket, headers, body);
        String model = names.resolve(body.model());
        requireModel(headers.caller(), body.model(), model);
        Optional<byte[]> rewritten =
                model.equals(body.model()) ? Optional.empty() : Optional.of(body.naming(model, bytes));
        Demand demand = demand(headers, model);
        TurnPrompt prompt = operation.chat()
                ? prompt(demand, body, rewritten.orElse(bytes))
                : PromptSource.TEXT.of(demand, adapter(model), body, bytes);
        Optional<Affinity> session =
                operation.work() == Work.GENERATES ? session(headers, body, demand) : Optional.empty();
        return new Read(
                new TurnRequest(demand, override(headers), factors(headers), prompt, session, ticket), rewritten);
    }

    /** What is not allowed by the headers alone: so that a body which is refused need not be read. */
    static Optional<ApiError> refusal(RequestHeaders headers) {
        boolean routing = Stream.of(ALLOW, WORKER, GROUP, COST)
                .anyMatch(name -> headers.first(name).isPresent());
        boolean urgent = headers.first(PRIORITY).isPresent();
        if ((routing && !headers.trusted()) || (urgent && !headers.prioritised())) {
            return Optional.of(ApiError.notTrusted("Headers x-router-* are for trusted callers."));
        }
        return headers.first(GROUP)
                .filter(group -> !headers.caller().mayReach(group))
                .map(group -> ApiError.groupNotAllowed());
    }

    private static void requireModel(Caller caller, String asked, String model) {
        if (!caller.mayAsk(asked, model)) {
            throw new ApiException(ApiError.modelNotAllowed());
        }
    }

    /** What a caller demands by its own words. Throws {@link ApiException} 403 for what it may not. */
    public Demand demand(Caller caller, Optional<String> group, String asked, Set<WorkerId> allowed) {
        String model = names.resolve(asked);
        requireModel(caller, asked, model);
        String named = group.orElse(caller.homeGroup());
        if (!caller.mayReach(named)) {
            throw new ApiException(ApiError.groupNotAllowed());
        }
        return new Demand(named, model, allowed);
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
        return new Demand(group.orElse(headers.caller().homeGroup()), model, allowed);
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

    /** The prompt of a completion request that routing reads elsewhere. */
    public TurnPrompt prompt(Demand demand, CompletionBody body, byte[] bytes) {
        return prompts.of(demand, adapter(demand.model()), body, bytes);
    }

    /** The model's name if it is an adapter's, else empty. */
    public String adapter(String model) {
        return names.adapter(model);
    }

    /** The name under which workers serve what a request calls so. */
    public String resolve(String model) {
        return names.resolve(model);
    }

    private Optional<Affinity> session(RequestHeaders headers, CompletionBody body, Demand demand) {
        boolean last = headers.first(FINAL).filter("true"::equalsIgnoreCase).isPresent();
        return ids.find(headers, body, demand).flatMap(known -> affinity(demand, known.key(), last));
    }

    /**
     * A new turn of a session that its caller names; empty with pinning off.
     *
     * @param caller whose session it is
     * @param last no turn will follow
     * @throws ApiException 400 for an id that can't be one
     */
    public Optional<Affinity> affinity(Demand demand, Caller caller, String sessionId, boolean last) {
        return affinity(demand, key(demand, caller, sessionId), last);
    }

    private Optional<Affinity> affinity(Demand demand, SessionKey key, boolean last) {
        String model = demand.model();
        return sessions.pins(model)
                ? Optional.of(new Affinity(
                        key,
                        new Turn(new TurnId(nodeUid, turns.incrementAndGet()), ttlMs(model)),
                        last,
                        sessions.mode(model)))
                : Optional.empty();
    }

    /** A session's key. Throws {@link ApiException} 400 for an id that can't be one. */
    public SessionKey key(Demand demand, Caller caller, String sessionId) {
        return SessionIds.identity(demand, caller.name(), "session_id", sessionId, "")
                .key();
    }

    /** How long sessions of a model stay without a sign of life; 0 where they are not pinned. */
    public long ttlMs(String model) {
        return sessions.pins(model) ? sessions.ttl(model).toMillis() : 0;
    }
}
