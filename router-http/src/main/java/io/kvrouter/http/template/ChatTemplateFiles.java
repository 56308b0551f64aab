package io.kvrouter.http.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a model's directory says of its chat template, as transformers reads it: {@code chat_template.jinja} before
 * {@code tokenizer_config.json} before {@code chat_template.json}; a list of named templates has one for tools.
 */
public final class ChatTemplateFiles {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEFAULT = "default";
    private static final String JINJA = ".jinja";

    private ChatTemplateFiles() {}

    /**
     * Reads and compiles a model's template.
     *
     * @return nothing if the directory has no template
     * @throws TemplateException if it has one that can't be compiled
     */
    public static Optional<ChatTemplate> read(Path directory) throws IOException {
        JsonNode config = json(directory.resolve("tokenizer_config.json"));
        Map<String, String> named = templates(directory, config);
        String plain = named.get(DEFAULT);
        if (plain == null) {
            return Optional.empty();
        }
        Map<String, String> specials = specials(json(directory.resolve("special_tokens_map.json")), config);
        String withTools = named.getOrDefault("tool_use", plain);
        return Optional.of(
                withTools.equals(plain)
                        ? ChatTemplate.compile(plain, specials)
                        : ChatTemplate.compile(plain, withTools, specials));
    }

    private static JsonNode json(Path file) throws IOException {
        return Files.exists(file) ? JSON.readTree(file.toFile()) : MissingNode.getInstance();
    }

    private static Map<String, String> templates(Path directory, JsonNode config) throws IOException {
        Map<String, String> named = new HashMap<>();
        add(json(directory.resolve("chat_template.json")).path("chat_template"), named);
        add(config.path("chat_template"), named);
        Path file = directory.resolve("chat_template.jinja");
        if (Files.exists(file)) {
            named.clear();
            named.put(DEFAULT, Files.readString(file));
        }
        Path more = directory.resolve("additional_chat_templates");
        if (Files.isDirectory(more)) {
            try (Stream<Path> files = Files.list(more)) {
                for (Path each :
                        files.filter(it -> it.toString().endsWith(JINJA)).toList()) {
                    String name = String.valueOf(each.getFileName());
                    named.put(name.substring(0, name.length() - JINJA.length()), Files.readString(each));
                }
            }
        }
        return named;
    }

    private static void add(JsonNode template, Map<String, String> named) {
        if (template.isTextual()) {
            named.clear();
            named.put(DEFAULT, template.textValue());
        } else if (template.isArray()) {
            named.clear();
            template.forEach(each ->
                    named.put(each.path("name").asText(), each.path("template").asText()));
        }
    }

    /** The tokens that have a name; each is a text, or an object with the text as its content. */
    private static Map<String, String> specials(JsonNode map, JsonNode config) {
        Map<String, String> specials = new HashMap<>();
        addTokens(map, specials);
        addTokens(config.path("extra_special_tokens"), specials);
        addTokens(config, specials);
        return specials;
    }

    private static void addTokens(JsonNode object, Map<String, String> into) {
        object.properties().forEach(field -> {
            JsonNode token = field.getValue().isObject() ? field.getValue().path("content") : field.getValue();
            if (field.getKey().endsWith("_token") && token.isTextual()) {
                into.put(field.getKey(), token.textValue());
            }
        });
    }
}
