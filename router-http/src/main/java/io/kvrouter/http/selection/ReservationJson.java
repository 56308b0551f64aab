package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.reservation.Standing;
import io.kvrouter.http.reservation.Answered;
import io.kvrouter.http.turn.Explainer.Explained;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.http.turn.request.TurnRequest.Affinity;
import io.kvrouter.session.Known;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Selections and reservations as they are answered. Of a session there is its key, never its id. */
final class ReservationJson {
    private ReservationJson() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static JsonNode of(Answered answered, TurnRequest request, Fleet fleet) {
        ObjectNode json = object().put("reservation_id", answered.name().toString());
        return switch (answered) {
            case Answered.Booked booked -> booked(json, booked, request, fleet);
            case Answered.NotMirrored owned -> json.put("mirrored", false);
            case Answered.Stands stands -> json.put("state", text(stands.standing()));
        };
    }

    /** How a reservation stands. */
    static JsonNode of(Answered.Stands stands) {
        return object().put("reservation_id", stands.name().toString()).put("state", text(stands.standing()));
    }

    private static String text(Standing standing) {
        return standing.name().toLowerCase(Locale.ROOT);
    }

    private static JsonNode booked(ObjectNode json, Answered.Booked booked, TurnRequest request, Fleet fleet) {
        var placement = booked.placement();
        json.put("state", text(Standing.BOOKED)).put("lease_ms", booked.lease().toMillis());
        var choice = new Choice(
                placement.worker(), placement.rank(), placement.decision().header());
        choice(json, request, choice, fleet);
        tokens(json, booked.promptTokens(), placement.overlapTokens());
        session(json, request, placement.binding());
        return json;
    }

    /** Where a turn would go. */
    static JsonNode selected(Explained explained, Choice choice, Fleet fleet, long overlapTokens) {
        ObjectNode json = object();
        choice(json, explained.request(), choice, fleet);
        tokens(json, explained.prompt().tokens(), OptionalLong.of(overlapTokens));
        session(
                json,
                explained.request(),
                explained.bound().map(bound -> bound.known()).orElse(Known.NOTHING));
        return json;
    }

    /** A worker and rank, and why there. */
    record Choice(WorkerId worker, int rank, String decision) {}

    private static void choice(ObjectNode json, TurnRequest request, Choice choice, Fleet fleet) {
        json.put("model", request.demand().model());
        json.put("routing_group", request.demand().group());
        json.put("worker_id", choice.worker().value());
        json.put("dp_rank", choice.rank());
        fleet.worker(choice.worker())
                .ifPresent(
                        known -> json.put("endpoint", known.registration().url().toString())
                                .put("block_size", known.blockSize()));
        json.put("decision", choice.decision());
    }

    private static void tokens(ObjectNode json, long prompt, OptionalLong overlap) {
        json.put("isl_tokens", prompt);
        overlap.ifPresent(cached ->
                json.put("overlap_tokens", cached).put("effective_prefill_tokens", Math.max(0, prompt - cached)));
    }

    /** Its version is text: it has more digits than a JavaScript number. */
    private static void session(ObjectNode json, TurnRequest request, Known binding) {
        Optional<Affinity> session = request.session();
        session.ifPresent(turn -> {
            ObjectNode of = json.putObject("session").put("key", turn.key().toString());
            WorkerId worker = binding.worker();
            if (worker != null) {
                of.put("worker_id", worker.value()).put("dp_rank", binding.rank());
                of.put("version", Long.toString(binding.version()));
            }
        });
    }
}
