package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.worker.WorkerId;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The short fields of a call's body. Null is as good as absent; whatever can't be used is a 400 with the field's name. */
final class Fields {
    private final ObjectNode json;

    Fields(ObjectNode json) {
        this.json = json;
    }

    boolean has(String name) {
        return json.hasNonNull(name);
    }

    Optional<String> text(String name) {
        return value(name).map(value -> {
            if (!value.isTextual() || value.textValue().isEmpty()) {
                throw wrong(name, "a string that is not empty");
            }
            return value.textValue();
        });
    }

    boolean flag(String name, boolean otherwise) {
        return value(name)
                .map(value -> {
                    if (!value.isBoolean()) {
                        throw wrong(name, "true or false");
                    }
                    return value.booleanValue();
                })
                .orElse(otherwise);
    }

    OptionalLong whole(String name, long least, long most) {
        return whole(name, value(name), least, most);
    }

    /** Also written as a text, by those whose numbers are not that long. */
    OptionalLong wholeOrText(String name, long least, long most) {
        var value = value(name);
        boolean digits = value.filter(JsonNode::isTextual)
                .filter(text -> text.textValue().matches("[0-9]{1,18}"))
                .isPresent();
        return whole(
                name,
                digits ? value.map(text -> LongNode.valueOf(Long.parseLong(text.textValue()))) : value,
                least,
                most);
    }

    private static OptionalLong whole(String name, Optional<? extends JsonNode> value, long least, long most) {
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        JsonNode number = value.get();
        if (!number.isIntegralNumber()
                || !number.canConvertToLong()
                || number.longValue() < least
                || number.longValue() > most) {
            throw wrong(name, "a whole number from " + least + " to " + most);
        }
        return OptionalLong.of(number.longValue());
    }

    Optional<WorkerId> worker(String name) {
        return text(name).map(id -> worker(name, id));
    }

    /** Empty if the field is absent: an empty list would allow every worker, and is refused. */
    Set<WorkerId> workers(String name) {
        Optional<JsonNode> value = value(name);
        if (value.isEmpty()) {
            return Set.of();
        }
        Set<WorkerId> ids = new HashSet<>();
        for (JsonNode id : value.get()) {
            ids.add(worker(name, id.isTextual() ? id.textValue() : ""));
        }
        if (ids.isEmpty()) {
            throw wrong(name, "an array of worker ids that is not empty");
        }
        return ids;
    }

    private static WorkerId worker(String name, String id) {
        try {
            return new WorkerId(id);
        } catch (IllegalArgumentException e) {
            throw wrong(name, "worker ids: 1 to 64 of A-Z a-z 0-9 . _ -");
        }
    }

    private Optional<JsonNode> value(String name) {
        return Optional.ofNullable(json.get(name)).filter(value -> !value.isNull());
    }

    static ApiException wrong(String name, String expected) {
        return new ApiException(ApiError.badRequest("The field '" + name + "' must be " + expected + ".", name));
    }
}
