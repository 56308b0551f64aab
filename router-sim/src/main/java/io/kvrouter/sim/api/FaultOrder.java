package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What is to go wrong, or right again, with a whole worker; what is absent stays as it is.
 *
 * @param worker port of the worker meant, if it is another one of this process
 * @param restart drop the cache and all connections, as a new process would
 * @param refuse stop or start listening
 * @param slow divisor of the prefill speed
 * @param healthStatus what {@code /health} answers from now on
 * @param status what completions answer from now on: an error, or 200 for as usual
 * @param forMs how long that status holds; for good if absent
 */
public record FaultOrder(
        OptionalInt worker,
        boolean restart,
        Optional<Boolean> refuse,
        OptionalDouble slow,
        OptionalInt healthStatus,
        OptionalInt status,
        OptionalInt forMs) {
    private static final Set<String> FIELDS =
            Set.of("worker", "restart", "refuse", "slow", "health_status", "status", "for_ms");

    /** Reads the body of an order; unknown fields are {@link Refused}, so that a typing error does not pass. */
    public static FaultOrder read(byte[] body) {
        JsonNode root = Json.object(body);
        root.fieldNames().forEachRemaining(name -> {
            if (!FIELDS.contains(name)) {
                throw Refused.badRequest(name + ": unknown (expected: one of "
                        + FIELDS.stream().sorted().toList() + ")");
            }
        });
        return new FaultOrder(
                integer(root, "worker", 1, 65_535),
                flag(root, "restart").orElse(false),
                flag(root, "refuse"),
                slow(root.path("slow")),
                integer(root, "health_status", 200, 599),
                integer(root, "status", 200, 599),
                integer(root, "for_ms", 1, Integer.MAX_VALUE));
    }

    private static Optional<Boolean> flag(JsonNode root, String field) {
        JsonNode value = root.path(field);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isBoolean()) {
            throw Refused.badRequest(field + ": " + value + " (expected: true or false)");
        }
        return Optional.of(value.booleanValue());
    }

    private static OptionalInt integer(JsonNode root, String field, int min, int max) {
        JsonNode value = root.path(field);
        if (value.isMissingNode()) {
            return OptionalInt.empty();
        }
        if (!value.canConvertToInt() || value.intValue() < min || value.intValue() > max) {
            throw Refused.badRequest(field + ": " + value + " (expected: " + min + " to " + max + ")");
        }
        return OptionalInt.of(value.intValue());
    }

    private static OptionalDouble slow(JsonNode value) {
        if (value.isMissingNode()) {
            return OptionalDouble.empty();
        }
        if (!value.isNumber() || !(value.doubleValue() > 0)) {
            throw Refused.badRequest("slow: " + value + " (expected: > 0)");
        }
        return OptionalDouble.of(value.doubleValue());
    }
}
