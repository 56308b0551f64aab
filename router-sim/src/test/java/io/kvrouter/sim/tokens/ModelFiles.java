package io.kvrouter.sim.tokens;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of a model that calls tools: every byte is a token, but for some pairs and the tokens of its turns. */
public final class ModelFiles {
    private static final int BYTES = 256;
    private static final String WORDS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
            + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final List<String> PAIRS =
            List.of("t h", "h e", "th e", "\u0120 t", "\u0120t he", "o n", "on e", "i n");
    private static final List<String> TURNS =
            List.of("<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<|endoftext|>");

    private static final String TEMPLATE = """
            {%- if tools %}
            {{- '<|im_start|>system\\nTools:' }}
            {%- for tool in tools %}{{ '\\n' + (tool | tojson) }}{% endfor %}
            {{- '<|im_end|>\\n' }}
            {%- endif %}
            {%- for message in messages %}
            {{- '<|im_start|>' + message.role + '\\n' + (message.content or '') }}
            {%- for call in message.tool_calls or [] %}
            {{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}
            {{- call.function.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
            {%- endfor %}
            {{- '<|im_end|>\\n' }}
            {%- endfor %}
            {%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
            """;

    private ModelFiles() {}

    /** Writes {@code tokenizer.json} and {@code chat_template.jinja}; answers the directory. */
    public static Path write(Path directory) throws IOException {
        var json = new ObjectMapper();
        ObjectNode root = json.createObjectNode().putNull("normalizer");
        preTokenizer(root);
        root.putObject("post_processor")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", false);
        model(root.putObject("model"));
        added(root.putArray("added_tokens"));
        Files.writeString(directory.resolve("tokenizer.json"), root.toString(), StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("chat_template.jinja"), TEMPLATE, StandardCharsets.UTF_8);
        return directory;
    }

    private static void preTokenizer(ObjectNode root) {
        ArrayNode parts =
                root.putObject("pre_tokenizer").put("type", "Sequence").putArray("pretokenizers");
        parts.addObject()
                .put("type", "Split")
                .put("behavior", "Isolated")
                .put("invert", false)
                .putObject("pattern")
                .put("Regex", WORDS);
        parts.addObject()
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", false)
                .put("use_regex", false);
    }

    private static void model(ObjectNode model) {
        model.put("type", "BPE").put("byte_fallback", false).put("ignore_merges", false);
        ObjectNode vocabulary = model.putObject("vocab");
        for (int b = 0; b < BYTES; b++) {
            vocabulary.put(letter(b), b);
        }
        ArrayNode merges = model.putArray("merges");
        for (String pair : PAIRS) {
            merges.add(pair);
            vocabulary.put(pair.replace(" ", ""), vocabulary.size());
        }
    }

    private static void added(ArrayNode added) {
        for (String token : TURNS) {
            added.addObject()
                    .put("id", BYTES + PAIRS.size() + added.size() - 1)
                    .put("content", token)
                    .put("special", true)
                    .put("single_word", false)
                    .put("lstrip", false)
                    .put("rstrip", false)
                    .put("normalized", false);
        }
    }

    /** GPT-2's way to write a byte as one character. */
    private static String letter(int b) {
        boolean itself = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
        int before = b < '!' ? b : b <= 0xA0 ? '!' + b - 0x7F : '!' + 0xA0 - 0x7F + 1;
        return Character.toString(itself ? b : BYTES + before);
    }
}
