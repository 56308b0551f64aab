package io.kvrouter.http.template;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvrouter.http.template.value.PyDict;

/** Tool calls of earlier turns. Their arguments come as JSON in a text; templates want the object. */
final class ToolCalls {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ToolCalls() {}

    static Object of(JsonNode call) {
        Object value = JsonValues.of(call);
        if (value instanceof PyDict dict && dict.get("function") instanceof PyDict function) {
            function.put("arguments", arguments(call.path("function").path("arguments")));
        }
        return value;
    }

    /** What is no JSON, or nothing, counts as no arguments. */
    private static Object arguments(JsonNode arguments) {
        if (arguments.isContainerNode()) {
            return JsonValues.of(arguments);
        }
        if (!arguments.isTextual()) {
            return new PyDict();
        }
        try {
            JsonNode parsed = JSON.readTree(arguments.textValue());
            return parsed.isMissingNode() ? new PyDict() : JsonValues.of(parsed);
        } catch (JsonProcessingException e) {
            return new PyDict();
        }
    }
}
