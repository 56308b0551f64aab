package io.kvrouter.templates;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.template.ChatTemplate;
import io.kvrouter.http.template.TemplateException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A recorded rendering: a template, the variables it was given, and the text that came out, or the class of exception
 * that it raised in Python.
 */
record TemplateCase(
        String name,
        String template,
        JsonNode context,
        @Nullable String expected,
        @Nullable String raises) {
    private static final int SHOWN = 60;

    /** Reads a line of a case file: {@code template}, {@code context}, {@code expected} or {@code raises}. */
    static TemplateCase of(JsonNode line, int number) {
        String name = line.path("model").asText("line " + number)
                + (line.has("conversation") ? "/" + line.path("conversation").asText() : "");
        if (!line.path("template").isTextual() || line.has("expected") == line.has("raises")) {
            throw new IllegalArgumentException(
                    "line " + number + " (expected: a template, a context, and either expected or raises)");
        }
        return new TemplateCase(
                name,
                line.get("template").textValue(),
                line.path("context"),
                line.path("expected").textValue(),
                line.path("raises").textValue());
    }

    /** What is wrong with the rendering, in one line; nothing if it is as recorded. */
    Optional<String> failure(Clock clock) {
        try {
            String text = ChatTemplate.compile(template, Map.of()).renderVariables(context, clock);
            return expected == null ? Optional.of("rendered (expected: " + raises + ")") : difference(text, expected);
        } catch (TemplateException e) {
            return e.kind().equals(raises)
                    ? Optional.empty()
                    : Optional.of(e.kind() + " in line " + e.line() + ": " + shown(String.valueOf(e.getMessage()), 0)
                            + " (expected: " + (raises == null ? "a text" : raises) + ")");
        }
    }

    private static Optional<String> difference(String text, String expected) {
        if (text.equals(expected)) {
            return Optional.empty();
        }
        int at = 0;
        while (at < Math.min(text.length(), expected.length()) && text.charAt(at) == expected.charAt(at)) {
            at++;
        }
        return Optional.of("differs at " + at + ": " + shown(text, at) + " (expected: " + shown(expected, at) + ")");
    }

    private static String shown(String text, int from) {
        String part = text.substring(from, Math.min(text.length(), from + SHOWN));
        return "\"" + part.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"") + "\""
                + (from + SHOWN < text.length() ? "..." : "");
    }
}
