package io.kvrouter.http.selection;

import io.kvrouter.access.Trust;
import io.kvrouter.admission.Ticket;
import io.kvrouter.http.ingress.TurnReader;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.http.turn.request.TurnRequest.Affinity;
import io.kvrouter.kv.Prompt;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads a turn out of a call's body. */
final class CallTurns {
    /** The longest that a request may say its prompt, or its answer, is. */
    static final long MAX_TOKENS = 1L << 30;

    private static final int MAX_BLOCK = 1 << 16;

    private final TurnReader turns;
    private final Supplier<Fleet> fleet;

    CallTurns(TurnReader turns, Supplier<Fleet> fleet) {
        this.turns = turns;
        this.fleet = fleet;
    }

    /** A turn, of a session if the body names one. */
    TurnRequest read(Incoming call) {
        Demand demand = demand(call);
        return request(demand, call, session(demand, call));
    }

    /** A turn that is no session's, whatever the body says. */
    TurnRequest readWithoutSession(Incoming call) {
        return request(demand(call), call, Optional.empty());
    }

    private TurnRequest request(Demand demand, Incoming call, Optional<Affinity> session) {
        var ticket = new Ticket(call.caller().contends(), priority(call));
        return new TurnRequest(
                demand, Optional.empty(), Optional.empty(), prompt(demand, call.body()), session, ticket);
    }

    private static int priority(Incoming call) {
        long asked = call.fields()
                .whole("priority", Integer.MIN_VALUE, Integer.MAX_VALUE)
                .orElse(Ticket.NO_PRIORITY);
        return call.caller().trusts(Trust.PRIORITY) ? (int) asked : Ticket.NO_PRIORITY;
    }

    private Demand demand(Incoming call) {
        Fields fields = call.fields();
        return turns.demand(call.caller(), group(fields), model(fields), fields.workers("allowed_worker_ids"));
    }

    static Optional<String> group(Fields fields) {
        return fields.text("routing_group");
    }

    static String model(Fields fields) {
        return fields.text("model")
                .or(() -> fields.text("model_name"))
                .orElseThrow(() -> new ApiException(ApiError.badRequest("The field 'model' is missing.", "model")));
    }

    private Optional<Affinity> session(Demand demand, Incoming call) {
        Fields fields = call.fields();
        boolean last = fields.flag("session_final", false);
        return fields.text("session_id").flatMap(id -> turns.affinity(demand, call.caller(), id, last));
    }

    private TurnPrompt prompt(Demand demand, CallBody body) {
        Fields fields = body.fields();
        long ways = Stream.of(
                        body.tokenIds().isPresent(),
                        body.blockHashes().isPresent(),
                        fields.has("text"),
                        body.isCompletion())
                .filter(there -> there)
                .count();
        if (ways != 1) {
            throw new ApiException(ApiError.badRequest(
                    "The prompt is one of token_ids, block_hashes, text, messages or prompt; there are " + ways + ".",
                    "token_ids"));
        }
        String adapter = turns.adapter(demand.model());
        Optional<String> salt = fields.text("cache_salt");
        return body.tokenIds()
                .map(ids -> TurnPrompt.of(Prompt.ofTokens(ids, ids.length, adapter, salt.orElse(""))))
                .or(() -> body.blockHashes().map(hashes -> TurnPrompt.of(blocks(demand, fields, hashes))))
                .orElseGet(() -> completion(
                        demand,
                        fields.text("text")
                                .map(text -> CallBody.completion(demand.model(), text, salt))
                                .orElse(body.bytes())));
    }

    private TurnPrompt completion(Demand demand, byte[] bytes) {
        return turns.prompt(demand, CompletionBody.parse(bytes), bytes);
    }

    private Prompt blocks(Demand demand, Fields fields, long[] hashes) {
        int size = (int) fields.whole("block_size", 1, MAX_BLOCK).orElseGet(() -> onlyBlockSize(demand));
        long least = (long) hashes.length * size;
        long tokens = fields.whole("isl_tokens", least, least + size - 1).orElse(least);
        return Prompt.ofBlocks(hashes, size, tokens);
    }

    private long onlyBlockSize(Demand demand) {
        List<Integer> sizes = fleet.get().workers().stream()
                .filter(worker -> worker.registration().group().equals(demand.group()) && worker.serves(demand.model()))
                .map(Worker::blockSize)
                .distinct()
                .toList();
        if (sizes.size() > 1) {
            throw Fields.wrong("block_size", "given: the workers of this model have blocks of several sizes");
        }
        return sizes.isEmpty() ? Worker.DEFAULT_BLOCK_SIZE : sizes.getFirst();
    }
}
