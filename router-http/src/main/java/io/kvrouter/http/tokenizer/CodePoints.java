package io.kvrouter.http.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.tokenizer.bpe.ByteLevelTokenizer;
import io.kvrouter.http.tokenizer.file.TokenizerFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The code points that the JVM treats otherwise than the oracle, because one's Unicode tables are newer than the
 * other's. Text with one of them is the oracle's.
 *
 * <p>Found by trying them all, with tokenizers that have the file's rules and no vocabulary: what a rule makes of a
 * character is then visible whatever the model merges. The outcome is kept for the life of the process, so that only
 * the first model with a rule costs a second or two.
 */
final class CodePoints {
    /** Below it are the characters of most texts: a tokenizer that differs there fails the self-test. */
    private static final int FIRST = 0x80;

    private static final int END = 0x2_0000;
    private static final int CHUNK = 64;

    /** Large blocks that have been the same for long: Han, Hangul, surrogates and private use. */
    private static final int[][] SETTLED = {{0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xD800, 0xF8FF}};

    /** Where it tells whether a character counts as letter, digit, blank, mark or something else. */
    private static final List<String> WORDS = List.of("a*a ", "1** ", "!*\n", "*'s *");

    /** Where it tells what it is composed with, and how marks are ordered. */
    private static final List<String> COMPOSED = List.of("e**\u0323\u0301 ");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, BitSet> KNOWN = new ConcurrentHashMap<>();

    private CodePoints() {}

    /** Those that a tokenizer of such a file differs in. */
    static BitSet differing(TokenizerFile file, ByteLevelTokenizer tokenizer) {
        JsonNode rule = file.root().path("pre_tokenizer");
        BitSet differing = (BitSet) KNOWN.computeIfAbsent(rule.toString(), text -> inWords(rule, tokenizer))
                .clone();
        if (tokenizer.composes()) {
            differing.or(KNOWN.computeIfAbsent("NFC", text -> inComposing()));
        }
        return differing;
    }

    /** Whether one of them is in a text. */
    static boolean in(BitSet codePoints, String text) {
        if (codePoints.isEmpty()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= FIRST && codePoints.get(text.codePointAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static BitSet inWords(JsonNode rule, ByteLevelTokenizer tokenizer) {
        ObjectNode file = JSON.createObjectNode();
        file.set("pre_tokenizer", rule);
        ObjectNode model = file.putObject("model").put("type", "WordLevel").put("unk_token", "?");
        model.putObject("vocab").put("?", 0);
        try (var oracle = NativeTokenizer.of(file.toString())) {
            return compare(WORDS, text -> new int[] {tokenizer.countWords(text)}, text ->
                    new int[] {oracle.tokens(text, false).length});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BitSet inComposing() {
        ObjectNode file = JSON.createObjectNode();
        file.putObject("normalizer").put("type", "NFC");
        file.putObject("pre_tokenizer")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", false)
                .put("use_regex", false);
        ObjectNode model = file.putObject("model").put("type", "BPE");
        model.putArray("merges");
        model.set("vocab", JSON.valueToTree(ByteLevelTokenizer.byteVocabulary()));
        try (var oracle = NativeTokenizer.of(file.toString())) {
            return compare(COMPOSED, CodePoints::composedBytes, text -> oracle.tokens(text, false));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int[] composedBytes(String text) {
        byte[] bytes = Normalizer.normalize(text, Normalizer.Form.NFC).getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = bytes[i] & 0xFF;
        }
        return ids;
    }

    private static BitSet compare(
            List<String> contexts, Function<String, int[]> ours, Function<String, int[]> oracles) {
        BitSet differing = new BitSet();
        for (String context : contexts) {
            List<String> chunk = new ArrayList<>();
            for (int codePoint = FIRST; codePoint < END; codePoint++) {
                if (!isSettled(codePoint)) {
                    chunk.add(Character.toString(codePoint));
                }
                if (chunk.size() == CHUNK || codePoint == END - 1) {
                    search(chunk, text -> Arrays.equals(ours.apply(text), oracles.apply(text)), context, differing);
                    chunk.clear();
                }
            }
        }
        return differing;
    }

    private static boolean isSettled(int codePoint) {
        for (int[] block : SETTLED) {
            if (codePoint >= block[0] && codePoint <= block[1]) {
                return true;
            }
        }
        return false;
    }

    private static void search(List<String> chunk, Predicate<String> same, String context, BitSet differing) {
        var text = new StringBuilder();
        chunk.forEach(character -> text.append(context.replace("*", character)));
        if (same.test(text.toString())) {
            return;
        }
        if (chunk.size() == 1) {
            differing.set(chunk.getFirst().codePointAt(0));
            return;
        }
        int half = chunk.size() / 2;
        search(chunk.subList(0, half), same, context, differing);
        search(chunk.subList(half, chunk.size()), same, context, differing);
    }
}
