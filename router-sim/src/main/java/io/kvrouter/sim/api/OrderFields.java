package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeSet;

/** The fields of an order, each checked; everything wrong with one is {@link Refused}, and so is an unknown one. */
final class OrderFields {
    private final JsonNode root;

    OrderFields(JsonNode root, String... known) {
        this.root = root;
        var names = new TreeSet<>(List.of(known));
        root.fieldNames().forEachRemaining(name -> {
            if (!names.contains(name)) {
                throw Refused.badRequest(name + ": unknown (expected: one of " + names + ")");
            }
        });
    }

    Optional<Boolean> flag(String field) {
        return given(field).map(value -> {
            check(value.isBoolean(), field, value, "true or false");
            return value.booleanValue();
        });
    }

    OptionalInt integer(String field, int min, int max) {
        Optional<JsonNode> given = given(field);
        if (given.isEmpty()) {
            return OptionalInt.empty();
        }
        JsonNode value = given.get();
        boolean right = value.isIntegralNumber()
                && value.canConvertToInt()
                && value.intValue() >= min
                && value.intValue() <= max;
        check(right, field, value, min + " to " + max);
        return OptionalInt.of(value.intValue());
    }

    OptionalDouble positive(String field) {
        return number(field, Double.MIN_VALUE, Double.MAX_VALUE, "> 0");
    }

    OptionalDouble share(String field) {
        return number(field, 0, 1, "0 to 1");
    }

    Optional<JsonNode> object(String field) {
        return given(field).map(value -> {
            check(value.isObject(), field, value, "an object");
            return value;
        });
    }

    private OptionalDouble number(String field, double min, double max, String expected) {
        Optional<JsonNode> given = given(field);
        if (given.isEmpty()) {
            return OptionalDouble.empty();
        }
        JsonNode value = given.get();
        check(value.isNumber() && value.doubleValue() >= min && value.doubleValue() <= max, field, value, expected);
        return OptionalDouble.of(value.doubleValue());
    }

    private Optional<JsonNode> given(String field) {
        return Optional.ofNullable(root.get(field));
    }

    private static void check(boolean right, String field, JsonNode value, String expected) {
        if (!right) {
            throw Refused.badRequest(field + ": " + value + " (expected: " + expected + ")");
        }
    }
}
