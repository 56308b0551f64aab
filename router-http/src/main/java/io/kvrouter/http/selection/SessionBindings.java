package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.access.Caller;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.http.ingress.TurnReader;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.selection.updates.UpdateEvents;
import io.kvrouter.session.Known;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState.Applied;
import io.kvrouter.session.Version;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/** {@code POST /session_bindings}: a binding that was made elsewhere, applied by its version. */
final class SessionBindings {
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{32}");
    private static final Duration AHEAD = Duration.ofHours(1);
    private static final int MAX_RANK = 1 << 16;

    private final Sessions sessions;
    private final TurnReader turns;
    private final InstantSource clock;

    SessionBindings(SelectionParts parts) {
        this.sessions = parts.ports().sessions();
        this.turns = parts.turns();
        this.clock = parts.clock();
    }

    CompletionStage<JsonNode> apply(Incoming call) {
        Fields fields = call.fields();
        SessionKey key = key(fields, call.caller());
        Optional<WorkerId> worker = fields.worker("worker_id");
        int rank = (int) fields.whole("dp_rank", 0, MAX_RANK).orElse(0);
        long version = version(fields);
        var known = worker.map(id -> new Known(version, id, rank)).orElseGet(() -> Known.removed(version));
        requireState(fields, worker.isPresent());
        long ttlMs = turns.ttlMs(turns.resolve(model(fields)));
        if (ttlMs == 0) {
            throw new ApiException(ApiError.badRequest("Sessions of this model are not pinned.", "model"));
        }
        return sessions.apply(key, known, ttlMs)
                .exceptionally(silent -> {
                    throw new ApiException(ApiError.sessionSilent(), silent);
                })
                .thenApply(applied -> json(key, applied));
    }

    /** A binding without a worker is a removal, and should be meant as one. */
    private static void requireState(Fields fields, boolean bound) {
        String state = fields.text("state").orElse("bound");
        if (!Set.of("bound", "removed").contains(state)) {
            throw Fields.wrong("state", "\"bound\" or \"removed\"");
        }
        if (state.equals("bound") != bound) {
            throw Fields.wrong("worker_id", bound ? "absent from a removal" : "given, but for \"state\": \"removed\"");
        }
    }

    /** Empty if none is named. */
    private static String model(Fields fields) {
        return fields.text("model").or(() -> fields.text("model_name")).orElse(Demand.ANY_MODEL);
    }

    /** A key tells neither model nor group of its session: what the call says of them is all there is to check. */
    private SessionKey key(Fields fields, Caller caller) {
        Optional<String> hex = fields.text("session");
        if (hex.isPresent()) {
            var unused = turns.demand(caller, CallTurns.group(fields), model(fields), Set.of());
            return hex.filter(text -> KEY.matcher(text).matches())
                    .map(SessionKey::parse)
                    .orElseThrow(() -> Fields.wrong("session", "a session's key: 32 hex digits"));
        }
        String id = fields.text("session_id")
                .orElseThrow(() -> Fields.wrong("session", "given, or 'session_id' with 'model'"));
        return turns.key(turns.demand(caller, CallTurns.group(fields), CallTurns.model(fields), Set.of()), caller, id);
    }

    /** A number, or a text, as the updates have it: it has more digits than a JavaScript number. */
    private long version(Fields fields) {
        long latest = Version.after(Version.NONE, clock.instant().plus(AHEAD).toEpochMilli(), 0);
        return fields.wholeOrText("version", 1, latest)
                .orElseThrow(() -> Fields.wrong("version", "given: the binding's version"));
    }

    private static JsonNode json(SessionKey key, Applied applied) {
        var json = ReservationJson.object()
                .put("session", key.toString())
                .put("result", applied.how().name().toLowerCase(Locale.ROOT));
        UpdateEvents.state(json, applied.now());
        return json;
    }
}
