package io.kvrouter.http.template;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A chat request as the variables that a template sees, normalised the way engines do it before they render (vLLM's
 * {@code chat_utils}, from whose behaviour the rules are taken): only known fields of a message, its content in the form
 * that the template wants, nothing where there is none, arguments of tool calls as objects.
 */
final class Conversation {
    private static final String CONTENT = "content";

    private final JsonNode request;
    private final MessageContent content;

    Conversation(JsonNode request, MessageContent content) {
        this.request = request;
        this.content = content;
    }

    Map<String, Object> variables(Map<String, String> specials) {
        Map<String, Object> variables = new HashMap<>(specials);
        variables.put("tools", orNone("tools"));
        variables.put("documents", orNone("documents"));
        variables.put(
                "add_generation_prompt",
                !request.path("add_generation_prompt").isBoolean()
                        || request.path("add_generation_prompt").booleanValue());
        if (request.path("reasoning_effort").isTextual()) {
            variables.put("reasoning_effort", request.path("reasoning_effort").textValue());
        }
        variables.putAll(JsonValues.variables(request.path("chat_template_kwargs")));
        variables.put("messages", messages());
        return variables;
    }

    private Object orNone(String field) {
        return JsonValues.of(request.path(field));
    }

    private List<Object> messages() {
        List<Object> messages = new ArrayList<>();
        request.path("messages").forEach(message -> messages.add(message(message)));
        return messages;
    }

    private PyDict message(JsonNode message) {
        String role = message.path("role").asText();
        var result = new PyDict();
        result.put("role", role);
        result.put(CONTENT, content.of(role, message.path(CONTENT)));
        switch (role) {
            case "assistant" -> assistant(message, result);
            case "tool" -> copy(message, "tool_call_id", result);
            case "developer" -> result.put("tools", JsonValues.of(message.path("tools")));
            default -> {}
        }
        if (message.path("name").isTextual()) {
            copy(message, "name", result);
        }
        return result;
    }

    private static void copy(JsonNode message, String field, PyDict into) {
        if (message.has(field)) {
            into.put(field, JsonValues.of(message.get(field)));
        }
    }

    private static void assistant(JsonNode message, PyDict result) {
        JsonNode calls = message.path("tool_calls");
        if (calls.isArray() && !calls.isEmpty()) {
            List<Object> list = new ArrayList<>();
            calls.forEach(call -> list.add(ToolCalls.of(call)));
            result.put("tool_calls", list);
        }
        JsonNode reasoning =
                message.hasNonNull("reasoning") ? message.get("reasoning") : message.path("reasoning_content");
        Object value = JsonValues.of(reasoning);
        if (value != None.NONE) {
            result.put("reasoning", value);
            result.put("reasoning_content", value);
        }
    }
}
