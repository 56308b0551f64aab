package io.kvrouter.http.template;

import io.kvrouter.http.template.python.Characters;
import io.kvrouter.http.template.value.PyDict;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a prompt ends that the model is to go on with ({@code continue_final_message}): with its last message. */
final class FinalMessage {
    private FinalMessage() {}

    /** Cuts off what the template put behind the last message. */
    static String cut(String rendered, Map<String, Object> variables) {
        String message = last(variables);
        String core = message == null ? "" : Characters.strip(message);
        int at = message == null ? -1 : rendered.lastIndexOf(core);
        if (message == null || at < 0) {
            throw new TemplateException(
                    "ValueError", "continue_final_message is set but the final message does not appear in the chat", 1);
        }
        String tail = Characters.stripStart(message);
        boolean spacesKept = rendered.startsWith(tail, at) && tail.equals(message);
        return rendered.substring(0, at + (spacesKept ? tail.length() : core.length()));
    }

    private static @Nullable String last(Map<String, Object> variables) {
        if (!(variables.get("messages") instanceof List<?> messages) || messages.isEmpty()) {
            return null;
        }
        Object content = messages.getLast() instanceof PyDict message ? message.get("content") : null;
        if (content instanceof List<?> parts) {
            for (Object part : parts.reversed()) {
                if (part instanceof PyDict dict && dict.get("text") instanceof String text) {
                    return text;
                }
            }
        }
        return content instanceof String text ? text : null;
    }
}
