package io.kvrouter.http.template;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.template.value.PyDict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message's content in the form that a template wants. Images, sounds and films can't be keyed: the engine puts tokens
 * in their place that the router does not know. With a mark, the first of them is a text that can be found again in what
 * is rendered; without one it is what the engine passes to the template.
 */
final class MessageContent {
    private final ContentFormat format;
    private final @Nullable String mark;
    private boolean media;

    MessageContent(ContentFormat format, @Nullable String mark) {
        this.format = format;
        this.mark = mark;
    }

    /** Whether some content so far had a part that can't be keyed. */
    boolean hasMedia() {
        return media;
    }

    Object of(String role, JsonNode content) {
        if (format == ContentFormat.TEXT) {
            return text(content);
        }
        List<Object> parts = parts(content);
        boolean textsOnly = parts.stream().allMatch(part -> part instanceof PyDict dict && dict.get("text") != null);
        return role.equals("tool") && textsOnly ? joined(parts) : parts;
    }

    private static String joined(List<Object> parts) {
        List<String> texts = new ArrayList<>();
        parts.forEach(part -> texts.add((String) ((PyDict) part).getOrNone("text")));
        return String.join("\n", texts);
    }

    /** Engines put what stands for media before the text. */
    private String text(JsonNode content) {
        if (content.isTextual()) {
            return content.textValue();
        }
        List<String> texts = new ArrayList<>();
        boolean marked = false;
        for (JsonNode part : content) {
            String text = textOf(part);
            if (text != null) {
                texts.add(text);
            } else if (isMedia(part)) {
                marked |= !media;
                media = true;
            }
        }
        if (marked && mark != null) {
            texts.addFirst(mark);
        }
        return String.join("\n", texts);
    }

    private List<Object> parts(JsonNode content) {
        List<Object> parts = new ArrayList<>();
        if (content.isTextual()) {
            parts.add(textPart(content.textValue()));
            return parts;
        }
        for (JsonNode part : content) {
            String text = textOf(part);
            if (text != null) {
                parts.add(textPart(text));
            } else if (isMedia(part)) {
                parts.add(media || mark == null ? mediaPart(part) : textPart(mark));
                media = true;
            }
        }
        return parts;
    }

    /** Null for what is no text. */
    private static @Nullable String textOf(JsonNode part) {
        if (part.isTextual()) {
            return part.textValue();
        }
        return switch (part.path("type").asText()) {
            case "text", "input_text", "output_text" -> part.path("text").textValue();
            case "refusal" -> part.path("refusal").textValue();
            case "thinking" -> part.path("thinking").textValue();
            default -> null;
        };
    }

    /** A text part without its text is skipped by engines; everything else stands for something. */
    private static boolean isMedia(JsonNode part) {
        return switch (part.path("type").asText()) {
            case "text", "input_text", "output_text", "refusal", "thinking" -> false;
            default -> true;
        };
    }

    private static PyDict textPart(String text) {
        var part = new PyDict();
        part.put("type", "text");
        part.put("text", text);
        return part;
    }

    private static PyDict mediaPart(JsonNode part) {
        String type = part.path("type").asText();
        var result = new PyDict();
        result.put("type", type.contains("audio") ? "audio" : type.contains("video") ? "video" : "image");
        return result;
    }
}
