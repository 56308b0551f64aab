package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.reservation.Standing;
import io.kvrouter.http.turn.Explainer.Explained;
import io.kvrouter.http.turn.HeldTurn;
import io.kvrouter.http.turn.Placement;
import io.kvrouter.http.turn.TurnRequest;
import io.kvrouter.http.turn.TurnRequest.Affinity;
import io.kvrouter.session.Known;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Selections and reservations as they are answered. Of a session there is its key, never its id. */
final class ReservationJson {
    private ReservationJson() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A reservation that counts from now on. */
    static JsonNode booked(
            ReservationName name, HeldTurn turn, Placement placement, Optional<Worker> worker, Duration lease) {
        ObjectNode json = object().put("reservation_id", name.toString()).put("state", "booked");
        json.put("lease_ms", lease.toMillis());
        var choice = new Choice(placement.worker(), placement.rank(), placement.decision().header());
        choice(json, turn.request(), choice, worker);
        tokens(json, turn.promptTokens(), placement.overlapTokens());
        session(json, turn.request(), placement.binding());
        return json;
    }

    /** Where a turn would go. */
    static JsonNode selected(Explained explained, Choice choice, Optional<Worker> worker, long overlapTokens) {
        ObjectNode json = object();
        choice(json, explained.request(), choice, worker);
        tokens(json, explained.prompt().tokens(), OptionalLong.of(overlapTokens));
        session(
                json,
                explained.request(),
                explained.bound().map(bound -> bound.known()).orElse(Known.NOTHING));
        return json;
    }

    /** A worker and rank, and why there. */
    record Choice(WorkerId worker, int rank, String decision) {}

    private static void choice(ObjectNode json, TurnRequest request, Choice choice, Optional<Worker> worker) {
        json.put("model", request.demand().model());
        json.put("routing_group", request.demand().group());
        json.put("worker_id", choice.worker().value());
        json.put("dp_rank", choice.rank());
        worker.ifPresent(known -> json.put("endpoint", known.registration().url().toString())
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

    static JsonNode ended(ReservationName name) {
        return standing(name, Standing.ENDED);
    }

    static JsonNode standing(ReservationName name, Standing standing) {
        return object()
                .put("reservation_id", name.toString())
                .put("state", standing.name().toLowerCase(Locale.ROOT));
    }

    static JsonNode notMirrored(ReservationName name) {
        return object().put("reservation_id", name.toString()).put("mirrored", false);
    }
}
