package io.kvrouter.kv;

import com.carrotsearch.hppc.IntObjectHashMap;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a request's prompt is to selection: its length in tokens and the sequence hashes of its blocks.
 *
 * <p>In text mode: a token counts as four bytes of the canonical prompt text, a block as a chunk of four times its
 * tokens. The hashes are made for the block sizes that are asked for, once each, and remembered (4 bytes of text a
 * token, 8 bytes of hash a block). Safe for use by several threads. Its text is in no message and no log.
 */
public final class Prompt {
    /** Bytes of text that count as one token. */
    public static final int BYTES_PER_TOKEN = 4;

    private static final int PREFIX_BYTES = 1_024;

    private final byte[] text;
    private final long seed;
    private final IntObjectHashMap<long[]> chains = new IntObjectHashMap<>(1);

    private Prompt(byte[] text, long seed) {
        this.text = text;
        this.seed = seed;
    }

    /**
     * A prompt whose tokens are not known.
     *
     * @param slices what changes the engine's tokens, in the engine's order: tools, then messages; copied
     * @param adapter name of the LoRA adapter; empty for the base model
     * @param cacheSalt keeps equal prompts of different callers apart; empty for none
     */
    public static Prompt ofText(List<ByteBuffer> slices, String adapter, String cacheSalt) {
        int length = slices.stream().mapToInt(ByteBuffer::remaining).reduce(0, Math::addExact);
        ByteBuffer text = ByteBuffer.allocate(length);
        slices.forEach(slice -> text.put(slice.duplicate()));
        return new Prompt(text.array(), BlockHashes.seed(adapter, cacheSalt));
    }

    /** A prompt of the base model, without a salt. */
    public static Prompt ofText(String text) {
        return new Prompt(text.getBytes(StandardCharsets.UTF_8), BlockHashes.seed("", ""));
    }

    /** Its length, as selection counts it. */
    public long tokens() {
        return text.length / BYTES_PER_TOKEN;
    }

    /** The sequence hashes of its complete blocks. The array is shared: not to be written. */
    public synchronized long[] chain(int blockSize) {
        long[] chain = chains.get(blockSize);
        if (chain == null) {
            chain = BlockHashes.chain(BlockHashes.ofBytes(text, blockSize * BYTES_PER_TOKEN, seed));
            chains.put(blockSize, chain);
        }
        return chain;
    }

    /** A hash of its first kilobyte: what conversations with one beginning have in common. */
    public long prefixHash() {
        return Hashing.xxh3_64(seed).hashBytesToLong(text, 0, Math.min(text.length, PREFIX_BYTES));
    }

    @Override
    public String toString() {
        return "Prompt[" + tokens() + " tokens]";
    }
}
