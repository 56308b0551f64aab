package io.kvrouter.llama;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A model of llama's architecture with random weights: it says nothing, but computes and caches as one that does.
 *
 * <p>Its tokens are single bytes, so that all text can be told in it, and its answers are lower-case letters: the output
 * weights of all other tokens are 0, so the best letter wins, and no answer ends but by its length.
 */
public final class TinyModel {
    private static final int LAYERS = 2;
    private static final int DIMENSIONS = 128;
    private static final int FEED_FORWARD = 256;
    private static final int HEADS = 4;
    private static final int FIRST_BYTE = 3;
    private static final int TOKENS = FIRST_BYTE + 256;
    private static final int NORMAL = 1;
    private static final int UNKNOWN = 2;
    private static final int CONTROL = 3;
    private static final int BYTE = 6;

    private final GgufFile file = new GgufFile();
    private final SplittableRandom random;

    private TinyModel(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Writes the model of this seed. */
    public static void write(Path path, long seed) throws IOException {
        var model = new TinyModel(seed);
        model.putShape();
        model.putTokens();
        model.putWeights();
        model.file.write(path);
    }

    private void putShape() {
        file.put("general.architecture", "llama");
        file.put("general.name", "tiny");
        file.put("llama.context_length", LlamaEngine.CONTEXT);
        file.put("llama.embedding_length", DIMENSIONS);
        file.put("llama.block_count", LAYERS);
        file.put("llama.feed_forward_length", FEED_FORWARD);
        file.put("llama.attention.head_count", HEADS);
        file.put("llama.attention.head_count_kv", HEADS);
        file.put("llama.attention.layer_norm_rms_epsilon", 1e-5f);
        file.put("llama.rope.dimension_count", DIMENSIONS / HEADS);
    }

    /** Unknown, begin, end, the 256 bytes, and the mark that stands for a space, which would be three bytes otherwise. */
    private void putTokens() {
        List<String> texts = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        List<Integer> types = new ArrayList<>(List.of(UNKNOWN, CONTROL, CONTROL));
        for (int value = 0; value < 256; value++) {
            texts.add(String.format("<0x%02X>", value));
            types.add(BYTE);
        }
        texts.add("▁");
        types.add(NORMAL);
        file.put("tokenizer.ggml.model", "llama");
        file.putTexts("tokenizer.ggml.tokens", texts);
        file.putFloats("tokenizer.ggml.scores", texts.stream().map(text -> 0f).toList());
        file.putInts("tokenizer.ggml.token_type", types);
        file.put("tokenizer.ggml.unknown_token_id", 0);
        file.put("tokenizer.ggml.bos_token_id", 1);
        file.put("tokenizer.ggml.eos_token_id", 2);
        file.put("tokenizer.ggml.add_bos_token", true);
        file.put("tokenizer.ggml.add_eos_token", false);
        file.put("tokenizer.ggml.add_space_prefix", false);
    }

    private void putWeights() {
        int tokens = TOKENS + 1;
        matrix("token_embd.weight", DIMENSIONS, tokens);
        ones("output_norm.weight");
        float[] output = random(DIMENSIONS, DIMENSIONS * tokens);
        IntStream.range(0, output.length)
                .filter(i -> !isLetter(i / DIMENSIONS - FIRST_BYTE))
                .forEach(i -> output[i] = 0);
        file.tensor("output.weight", output, DIMENSIONS, tokens);
        for (int layer = 0; layer < LAYERS; layer++) {
            String block = "blk." + layer + ".";
            ones(block + "attn_norm.weight");
            matrix(block + "attn_q.weight", DIMENSIONS, DIMENSIONS);
            matrix(block + "attn_k.weight", DIMENSIONS, DIMENSIONS);
            matrix(block + "attn_v.weight", DIMENSIONS, DIMENSIONS);
            matrix(block + "attn_output.weight", DIMENSIONS, DIMENSIONS);
            ones(block + "ffn_norm.weight");
            matrix(block + "ffn_gate.weight", DIMENSIONS, FEED_FORWARD);
            matrix(block + "ffn_up.weight", DIMENSIONS, FEED_FORWARD);
            matrix(block + "ffn_down.weight", FEED_FORWARD, DIMENSIONS);
        }
    }

    private static boolean isLetter(int value) {
        return value >= 'a' && value <= 'z';
    }

    private void matrix(String name, int in, int out) {
        file.tensor(name, random(in, in * out), in, out);
    }

    private void ones(String name) {
        float[] values = new float[DIMENSIONS];
        Arrays.fill(values, 1);
        file.tensor(name, values, DIMENSIONS);
    }

    /** Scaled so that what comes out of a layer is as large as what went in. */
    private float[] random(int in, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextGaussian() / Math.sqrt(in));
        }
        return values;
    }
}
