package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.cluster.reservation.ReservationCall;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.reservation.ReservationName;
import io.kvrouter.http.reservation.Reservations;
import io.kvrouter.http.selection.updates.UpdateEvents;
import io.kvrouter.http.selection.updates.UpdateStream;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.worker.Fleet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the selection API, next to whatever else the port serves. Paths and fields are named as in NVIDIA
 * Dynamo's selection service where that has them.
 */
public final class SelectionApi implements Endpoint {
    private static final Pattern RESERVATION =
            Pattern.compile("/reservations/([^/]+)(?:/(prefill_complete|output_block))?");
    private static final String POST = "POST";
    private static final String GET = "GET";
    private static final int MAX_RANK = 1 << 16;
    private static final long MAX_BLOCKS = 1L << 24;
    private static final int NOT_ALLOWED = 405;

    private final ActorSystem<?> system;
    private final Gate gate;
    private final Reservations reservations;
    private final CallTurns turns;
    private final Supplier<Fleet> fleet;
    private final Map<String, Call> calls;
    private final Endpoint otherwise;

    /** What may be called at a path. */
    private record Call(String method, CallExchange.Action action) {}

    /** The API; what is not one of its paths goes to {@code otherwise}. */
    public SelectionApi(ActorSystem<?> system, SelectionParts parts, Endpoint otherwise) {
        this.system = system;
        this.gate = parts.gate();
        this.reservations = parts.reservations();
        this.fleet = parts.ports().fleet();
        this.turns = new CallTurns(parts.turns(), fleet);
        this.otherwise = otherwise;
        var select = new PureSelection(parts.ports());
        var bindings = new SessionBindings(parts);
        var updates = new UpdateStream(new UpdateEvents(parts.nodeUid()), parts.readers(), leaving(system));
        var loads = new FleetLoads(parts.ports());
        this.calls = Map.of(
                "/select", new Call(POST, answering(call -> select.of(turns.read(call)))),
                "/select_and_reserve", new Call(POST, answering(this::selectAndReserve)),
                "/reservations", new Call(POST, answering(this::mirror)),
                "/session_bindings", new Call(POST, answering(call -> bindings.apply(call))),
                "/session_bindings/updates",
                        new Call(GET, call -> CompletableFuture.completedStage(updates.answer(call.request()))),
                "/loads", new Call(GET, answering(call -> CompletableFuture.completedStage(loads.of(call.request())))));
    }

    private static BooleanSupplier leaving(ActorSystem<?> system) {
        var shutdown = CoordinatedShutdown.get(system);
        return () -> shutdown.getShutdownReason().isPresent();
    }

    private static CallExchange.Action answering(Function<Incoming, CompletionStage<JsonNode>> action) {
        return call -> action.apply(call).thenApply(SelectionApi::json);
    }

    private static HttpResponse json(JsonNode body) {
        return HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, body + "\n");
    }

    @Override
    public Exchange begin(HttpRequest request) {
        String path = request.getUri().getPathString();
        Call call = calls.get(path);
        if (call == null) {
            call = ofReservation(path);
        }
        return call == null
                ? otherwise.begin(request)
                : CallExchange.begin(
                        system,
                        gate,
                        request,
                        request.method().value().equals(call.method()) ? call.action() : notAllowed(call.method()));
    }

    private static CallExchange.Action notAllowed(String method) {
        var error = ApiError.refused(NOT_ALLOWED, "method_not_allowed", "This path takes " + method + ".");
        return call -> CompletableFuture.completedStage(error.response().addHeader(RawHeader.create("Allow", method)));
    }

    private @Nullable Call ofReservation(String path) {
        Matcher matcher = RESERVATION.matcher(path);
        if (!matcher.matches()) {
            return null;
        }
        String name = matcher.group(1);
        String verb = matcher.group(2);
        return verb == null
                ? new Call("DELETE", answering(call -> call(name, EndOf.read(name, call))))
                : new Call(POST, answering(call -> call(name, said(verb, name, call.fields()))));
    }

    private static ReservationCall said(String verb, String name, Fields fields) {
        return verb.equals("output_block")
                ? new ReservationCall.OutputBlock(name, fields.whole("output_blocks", 0, MAX_BLOCKS))
                : new ReservationCall.PrefillComplete(name);
    }

    private CompletionStage<JsonNode> call(String text, ReservationCall call) {
        ReservationName name = ReservationName.full(text)
                .orElseThrow(() -> new ApiException(ApiError.badRequest(
                        "A reservation is named by its node's uid (16 hex digits), a dash and its id.",
                        "reservation_id")));
        return reservations.call(name, call).thenApply(ReservationJson::of);
    }

    private CompletionStage<JsonNode> selectAndReserve(Incoming call) {
        var fields = call.fields();
        var request = turns.read(call);
        return reservations
                .selectAndReserve(fields.text("reservation_id"), request, expected(fields), call.gone())
                .thenApply(answered -> ReservationJson.of(answered, request, fleet.get()));
    }

    private CompletionStage<JsonNode> mirror(Incoming call) {
        var fields = call.fields();
        var worker = fields.worker("worker_id")
                .orElseThrow(
                        () -> new ApiException(ApiError.badRequest("The field 'worker_id' is missing.", "worker_id")));
        int rank = (int) fields.whole("dp_rank", 0, MAX_RANK).orElse(0);
        var request = turns.readWithoutSession(call);
        var target = new Reservations.Target(worker, rank);
        return reservations
                .mirror(fields.text("reservation_id"), request, expected(fields), call.gone(), target)
                .thenApply(answered -> ReservationJson.of(answered, request, fleet.get()));
    }

    private static long expected(Fields fields) {
        OptionalLong tokens = fields.whole("expected_output_tokens", 0, CallTurns.MAX_TOKENS);
        return tokens.orElse(0);
    }
}
