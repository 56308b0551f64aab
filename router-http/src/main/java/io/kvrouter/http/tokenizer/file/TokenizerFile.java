package io.kvrouter.http.tokenizer.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A model's {@code tokenizer.json}, with what {@code tokenizer_config.json} beside it changes of it.
 *
 * @param root the tokenizer's parts, as Hugging Face writes them
 * @param json the same as text, for the oracle
 * @param addedTokens tokens that are found in a text first
 * @param beginning the token that stands before a text of its own, where the config decides that and not the file
 */
public record TokenizerFile(JsonNode root, String json, List<AddedToken> addedTokens, Optional<Beginning> beginning) {
    /** The file itself. */
    public static final String NAME = "tokenizer.json";

    private static final String CONFIG = "tokenizer_config.json";
    private static final String ADDED = "added_tokens";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Classes of Hugging Face that put the file's own rule for the beginning aside. */
    private static final Set<String> OWN_BEGINNING =
            Set.of("LlamaTokenizer", "LlamaTokenizerFast", "GemmaTokenizer", "GemmaTokenizerFast");

    /**
     * What a config says of the beginning.
     *
     * @param token its text; empty if nothing stands there
     */
    public record Beginning(String token) {}

    /**
     * Reads both files of a model's directory.
     *
     * @throws IOException naming the file that is missing or broken
     */
    public static TokenizerFile read(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": missing");
        }
        String json = text(file);
        JsonNode root = parse(file, json);
        if (!root.path("model").isObject()) {
            throw new IOException(file + ": no tokenizer (expected: an object with a model)");
        }
        Path configFile = directory.resolve(CONFIG);
        JsonNode config =
                Files.isRegularFile(configFile) ? parse(configFile, text(configFile)) : JSON.createObjectNode();
        boolean changed = addMissing((ObjectNode) root, config.path("added_tokens_decoder"));
        return new TokenizerFile(root, changed ? root.toString() : json, read(root.path(ADDED)), beginning(config));
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IOException(file + ": can't be read as UTF-8 text", e);
        }
    }

    private static JsonNode parse(Path file, String json) throws IOException {
        try {
            JsonNode root = JSON.readTree(json);
            if (!root.isObject()) {
                throw new IOException(file + ": no JSON object");
            }
            return root;
        } catch (JsonProcessingException e) {
            throw new IOException(file + ": no JSON at line " + e.getLocation().getLineNr(), e);
        }
    }

    /** Tokens that only the config knows: Hugging Face adds them when it loads a model. */
    private static boolean addMissing(ObjectNode root, JsonNode decoder) {
        ArrayNode tokens = root.withArray(ADDED);
        Set<String> known = read(tokens).stream().map(AddedToken::content).collect(Collectors.toSet());
        boolean changed = false;
        for (var entry : decoder.properties()) {
            if (entry.getValue() instanceof ObjectNode token
                    && !known.contains(token.path("content").asText())) {
                tokens.add(token.deepCopy().put("id", Integer.parseInt(entry.getKey())));
                changed = true;
            }
        }
        return changed;
    }

    private static Optional<Beginning> beginning(JsonNode config) {
        JsonNode add = config.path("add_bos_token");
        JsonNode token = config.path("bos_token");
        if (!add.isBoolean()
                || !OWN_BEGINNING.contains(config.path("tokenizer_class").asText())) {
            return Optional.empty();
        }
        String text = token.isObject() ? token.path("content").asText() : token.asText("");
        return Optional.of(new Beginning(add.asBoolean() ? text : ""));
    }

    /** With other ids for the same tokens: the library numbers them by itself. */
    public TokenizerFile withAddedTokens(List<AddedToken> tokens) {
        return new TokenizerFile(root, json, List.copyOf(tokens), beginning);
    }

    private static List<AddedToken> read(JsonNode tokens) {
        List<AddedToken> added = new ArrayList<>();
        tokens.forEach(token -> added.add(AddedToken.read(token)));
        return added;
    }
}
