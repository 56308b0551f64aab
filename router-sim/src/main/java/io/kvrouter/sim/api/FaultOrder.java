package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.sim.kv.StreamFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * What is to go wrong, or right again, with a whole worker; what is absent stays as it is.
 *
 * @param worker port of the worker meant, if it is another one of this process
 * @param restart drop the cache and all connections, as a new process would
 * @param refuse stop or start listening
 * @param slow divisor of the prefill speed
 * @param healthStatus what {@code /health} answers from now on
 * @param answer what completions answer
 * @param events what is to go wrong with KV events
 */
public record FaultOrder(
        OptionalInt worker,
        boolean restart,
        Optional<Boolean> refuse,
        OptionalDouble slow,
        OptionalInt healthStatus,
        Optional<Answer> answer,
        Optional<Streams> events) {
    /**
     * What completions answer from now on.
     *
     * @param status an error, or 200 for as usual
     * @param forMs how long that holds; for good if absent
     */
    public record Answer(int status, OptionalInt forMs) {}

    /**
     * What is to go wrong with the worker's KV events.
     *
     * @param rank whose; all ranks' if absent
     */
    public record Streams(OptionalInt rank, List<StreamFault> faults) {
        private static final int MANY = 1_000_000;

        public Streams {
            faults = List.copyOf(faults);
        }

        private static Streams read(JsonNode order) {
            var fields = new OrderFields(
                    order,
                    "rank",
                    "restart",
                    "drop",
                    "drop_share",
                    "repeat",
                    "reorder",
                    "malformed",
                    "malformed_events",
                    "replay_from");
            var faults = new ArrayList<StreamFault>();
            if (fields.flag("restart").orElse(false)) {
                faults.add(new StreamFault.Restart());
            }
            count(fields, "drop", StreamFault.Drop::new, faults);
            fields.share("drop_share").ifPresent(share -> faults.add(new StreamFault.DropShare(share)));
            count(fields, "repeat", StreamFault.Repeat::new, faults);
            count(fields, "reorder", StreamFault.Reorder::new, faults);
            count(fields, "malformed", StreamFault.MalformedBatches::new, faults);
            count(fields, "malformed_events", StreamFault.MalformedEvents::new, faults);
            count(fields, "replay_from", StreamFault.ReplayFrom::new, faults);
            return new Streams(fields.integer("rank", 0, MANY), faults);
        }

        private static void count(
                OrderFields fields, String field, IntFunction<StreamFault> fault, List<StreamFault> faults) {
            fields.integer(field, 0, MANY).ifPresent(count -> faults.add(fault.apply(count)));
        }
    }

    /** Reads the body of an order; unknown fields are {@link Refused}, so that a typing error does not pass. */
    public static FaultOrder read(byte[] body) {
        var fields = new OrderFields(
                Json.object(body),
                "worker",
                "restart",
                "refuse",
                "slow",
                "health_status",
                "status",
                "for_ms",
                "kv_events");
        OptionalInt forMs = fields.integer("for_ms", 1, Integer.MAX_VALUE);
        OptionalInt status = fields.integer("status", 200, 599);
        return new FaultOrder(
                fields.integer("worker", 1, 65_535),
                fields.flag("restart").orElse(false),
                fields.flag("refuse"),
                fields.positive("slow"),
                fields.integer("health_status", 200, 599),
                status.isPresent() ? Optional.of(new Answer(status.getAsInt(), forMs)) : Optional.empty(),
                fields.object("kv_events").map(Streams::read));
    }
}
