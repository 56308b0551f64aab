package io.kvrouter.http.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Makes a {@code tokenizer.json}: trains a few hundred merges on a page of text, then lets a test change the file. */
public final class SmallTokenizer {
    /** How Qwen splits. */
    public static final String QWEN = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
            + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MERGES = 400;
    private static final int BYTES = 256;

    private static final String TEXT = "A router sends every request to a worker that has most of its prompt cached. "
            + "It's simple, isn't it? We'll see: they've 1024 workers, I'd say 2048, and you're there.\n\n"
            + "public static void main(String[] args) {\n    return;\n}\n    // the end\n"
            + "Der Wärmeübergang übt schöne Größen, élève, naïve façade, señor mañana. "
            + "Быстрая лисица прыгает через ленивую собаку. 漢字と仮名 漢字と仮名 안녕하세요 안녕하세요 "
            + "\ud83d\ude00\ud83d\ude00 \ud83d\udc4d\ud83d\udc4d --- === ... \t\t\t      ";

    private final Map<String, Integer> vocabulary = new LinkedHashMap<>();
    private final List<List<String>> merges = new ArrayList<>();
    private final ObjectNode root = JSON.createObjectNode();

    private SmallTokenizer() {
        for (int b = 0; b < BYTES; b++) {
            vocabulary.put(letter(b), b);
        }
        train();
        root.putNull("normalizer").set("pre_tokenizer", sequence(QWEN));
        root.putObject("post_processor")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", false);
        root.putObject("model").put("type", "BPE").put("byte_fallback", false).put("ignore_merges", false);
        root.putArray("added_tokens");
    }

    /** Splits as Qwen does, has its tokens for turns, and composes its texts. */
    public static SmallTokenizer likeQwen() {
        var tokenizer = new SmallTokenizer();
        tokenizer.root.putObject("normalizer").put("type", "NFC");
        return tokenizer
                .added("<|endoftext|>")
                .added("<|im_start|>")
                .added("<|im_end|>")
                .added("<tool_call>");
    }

    /** Splits by the byte-level stage's own pattern. */
    public static SmallTokenizer likeGpt2() {
        var tokenizer = new SmallTokenizer();
        tokenizer.root.set("pre_tokenizer", byteLevel().put("use_regex", true));
        return tokenizer.added("<|endoftext|>");
    }

    /** Words in the vocabulary need no merging, and a text begins with a token. */
    public static SmallTokenizer likeLlama3() {
        var tokenizer = new SmallTokenizer().added("<|begin_of_text|>").added("<|eot_id|>");
        ((ObjectNode) tokenizer.root.path("model")).put("ignore_merges", true);
        return tokenizer.beginningWith("<|begin_of_text|>");
    }

    /** No byte-level one: blanks are written as a letter, with one put in front. */
    public static SmallTokenizer likeLlama2() {
        var tokenizer = new SmallTokenizer();
        ObjectNode model = (ObjectNode) tokenizer.root.path("model");
        model.put("byte_fallback", true).put("unk_token", "<unk>").put("fuse_unk", true);
        tokenizer.vocabulary.put("<unk>", tokenizer.nextId());
        tokenizer.vocabulary.put("\u2581", tokenizer.nextId());
        for (int b = 0; b < BYTES; b++) {
            tokenizer.vocabulary.put(String.format("<0x%02X>", b), tokenizer.nextId());
        }
        tokenizer.root.putNull("pre_tokenizer");
        ArrayNode parts =
                tokenizer.root.putObject("normalizer").put("type", "Sequence").putArray("normalizers");
        parts.addObject().put("type", "Prepend").put("prepend", "\u2581");
        parts.addObject()
                .put("type", "Replace")
                .put("content", "\u2581")
                .putObject("pattern")
                .put("String", " ");
        return tokenizer.added("<s>").added("</s>").beginningWith("<s>");
    }

    private SmallTokenizer beginningWith(String token) {
        ObjectNode processor = root.putObject("post_processor").put("type", "TemplateProcessing");
        ArrayNode single = processor.putArray("single");
        single.addObject().putObject("SpecialToken").put("id", token).put("type_id", 0);
        single.addObject().putObject("Sequence").put("id", "A").put("type_id", 0);
        processor
                .putArray("pair")
                .addAll(single.deepCopy())
                .addObject()
                .putObject("Sequence")
                .put("id", "B")
                .put("type_id", 1);
        ObjectNode special =
                processor.putObject("special_tokens").putObject(token).put("id", token);
        special.putArray("ids").add(id(token));
        special.putArray("tokens").add(token);
        return this;
    }

    /** With one more added token. */
    public SmallTokenizer added(String content) {
        return added(content, token -> {});
    }

    SmallTokenizer added(String content, Consumer<ObjectNode> change) {
        ObjectNode token = ((ArrayNode) root.path("added_tokens")).addObject();
        token.put("content", content).put("special", true);
        for (String flag : List.of("single_word", "lstrip", "rstrip", "normalized")) {
            token.put(flag, false);
        }
        change.accept(token);
        return this;
    }

    /** With a part of the file changed. */
    SmallTokenizer with(Consumer<ObjectNode> change) {
        change.accept(root);
        return this;
    }

    /** The id of an added token: they come after the vocabulary. */
    public int id(String added) {
        JsonNode tokens = root.path("added_tokens");
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).path("content").asText().equals(added)) {
                return nextId() + i;
            }
        }
        throw new IllegalArgumentException(added);
    }

    private int nextId() {
        return vocabulary.size();
    }

    /** Writes the file into a directory; answers the directory. */
    public Path write(Path directory) {
        for (JsonNode token : root.path("added_tokens")) {
            ((ObjectNode) token).put("id", id(token.path("content").asText()));
        }
        ObjectNode model = (ObjectNode) root.path("model");
        model.set("vocab", JSON.valueToTree(vocabulary));
        model.set("merges", JSON.valueToTree(merges));
        try {
            Files.writeString(directory.resolve("tokenizer.json"), root.toString());
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ObjectNode sequence(String pattern) {
        ObjectNode sequence = JSON.createObjectNode().put("type", "Sequence");
        ArrayNode parts = sequence.putArray("pretokenizers");
        parts.addObject()
                .put("type", "Split")
                .put("behavior", "Isolated")
                .put("invert", false)
                .putObject("pattern")
                .put("Regex", pattern);
        parts.add(byteLevel());
        return sequence;
    }

    private static ObjectNode byteLevel() {
        return JSON.createObjectNode()
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", false)
                .put("use_regex", false);
    }

    private void train() {
        List<List<String>> words = new ArrayList<>();
        for (var matcher =
                        Pattern.compile(QWEN, Pattern.UNICODE_CHARACTER_CLASS).matcher(TEXT);
                matcher.find(); ) {
            List<String> word = new ArrayList<>();
            for (byte b : matcher.group().getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
                word.add(letter(b & 0xFF));
            }
            words.add(word);
        }
        for (int i = 0; i < MERGES; i++) {
            List<String> best = mostFrequent(words);
            if (best.isEmpty()) {
                return;
            }
            merges.add(best);
            vocabulary.put(best.get(0) + best.get(1), nextId());
            words.forEach(word -> merge(word, best));
        }
    }

    private static List<String> mostFrequent(List<List<String>> words) {
        Map<List<String>, Integer> counts = new HashMap<>();
        for (List<String> word : words) {
            for (int i = 0; i + 1 < word.size(); i++) {
                counts.merge(List.of(word.get(i), word.get(i + 1)), 1, Integer::sum);
            }
        }
        return counts.entrySet().stream()
                .max(Map.Entry.<List<String>, Integer>comparingByValue()
                        .thenComparing(e -> String.join("", e.getKey())))
                .map(Map.Entry::getKey)
                .orElse(List.of());
    }

    private static void merge(List<String> word, List<String> pair) {
        for (int i = 0; i + 1 < word.size(); i++) {
            if (word.get(i).equals(pair.get(0)) && word.get(i + 1).equals(pair.get(1))) {
                word.set(i, pair.get(0) + pair.get(1));
                word.remove(i + 1);
            }
        }
    }

    /** GPT-2's way to write a byte as one character. */
    private static String letter(int b) {
        boolean itself = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
        int before = b < '!' ? b : b <= 0xA0 ? '!' + b - 0x7F : '!' + 0xA0 - 0x7F + 1;
        return Character.toString(itself ? b : BYTES + before);
    }
}
