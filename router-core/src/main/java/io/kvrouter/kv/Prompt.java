package io.kvrouter.kv;

import com.carrotsearch.hppc.IntObjectHashMap;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request's prompt is to selection: its length in tokens and the sequence hashes of its blocks.
 *
 * <p>Exact, where its tokens are known: then its hashes are those of the engines' KV events. Else in text mode: a token
 * counts as four bytes of the canonical prompt text, a block as a chunk of four times its tokens, and only what this
 * router remembers of other texts can match. Both are blocks of bytes here, since a token id has four bytes too.
 *
 * <p>The hashes are made for the block sizes that are asked for, once each, and remembered (4 bytes of content a token,
 * 8 bytes of hash a block). Safe for use by several threads. Its text is in no message and no log.
 */
public final class Prompt {
    /** Bytes of text that count as one token; as many has a token id. */
    private static final int BYTES_PER_TOKEN = 4;

    private static final int PREFIX_BYTES = 1_024;

    private final byte[] content;
    private final long tokens;
    private final boolean exact;
    private final long seed;
    private final @Nullable GivenBlocks given;
    private final IntObjectHashMap<Chain> chains = new IntObjectHashMap<>(1);

    private Prompt(byte[] content, long tokens, boolean exact, long seed, @Nullable GivenBlocks given) {
        this.content = content;
        this.tokens = tokens;
        this.exact = exact;
        this.seed = seed;
        this.given = given;
    }

    /**
     * A prompt that its caller has cut into blocks and hashed.
     *
     * @param blockHashes of its complete blocks, each by itself, as {@link BlockHashes#ofTokens} makes them
     * @param blockSize tokens in one of them
     * @param tokens its length; what is more than the blocks is less than one
     */
    public static Prompt ofBlocks(long[] blockHashes, int blockSize, long tokens) {
        if (blockSize <= 0 || tokens / blockSize != blockHashes.length) {
            throw new IllegalArgumentException("tokens: " + tokens + " (expected: " + blockHashes.length
                    + " complete blocks of " + blockSize + ")");
        }
        var blocks = new GivenBlocks(BlockHashes.chain(blockHashes), blockSize, tokens);
        return new Prompt(new byte[0], tokens, true, BlockHashes.seed("", ""), blocks);
    }

    /**
     * A prompt whose tokens are known.
     *
     * @param tokens the ids, as the engine makes them
     * @param keyed tokens from the start that are certainly the engine's, and say all that it computes: none after the
     *     first image
     * @param adapter name of the LoRA adapter; empty for the base model
     * @param cacheSalt keeps equal prompts of different callers apart; empty for none
     */
    public static Prompt ofTokens(int[] tokens, int keyed, String adapter, String cacheSalt) {
        if (keyed < 0 || keyed > tokens.length) {
            throw new IllegalArgumentException("keyed: " + keyed + " (expected: 0 to " + tokens.length + ")");
        }
        ByteBuffer ids = ByteBuffer.allocate(keyed * BYTES_PER_TOKEN).order(ByteOrder.LITTLE_ENDIAN);
        ids.asIntBuffer().put(tokens, 0, keyed);
        return new Prompt(ids.array(), tokens.length, true, BlockHashes.seed(adapter, cacheSalt), null);
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
        return ofText(text.array(), BlockHashes.seed(adapter, cacheSalt));
    }

    /** A prompt of the base model, without a salt. */
    public static Prompt ofText(String text) {
        return ofText(text.getBytes(StandardCharsets.UTF_8), BlockHashes.seed("", ""));
    }

    private static Prompt ofText(byte[] text, long seed) {
        return new Prompt(text, tokensOf(text.length), false, seed, null);
    }

    /** How many tokens a text of so many bytes counts as; one at least, for else the shortest would be no load. */
    public static long tokensOf(long bytes) {
        return bytes == 0 ? 0 : Math.max(1, bytes / BYTES_PER_TOKEN);
    }

    /** Its length, as selection counts it. */
    public long tokens() {
        return tokens;
    }

    /** Whether its hashes are those of the engine's own tokens. */
    public boolean exact() {
        return exact;
    }

    /** The same without what it says: as long and as exact, but without blocks. */
    public Prompt lengthOnly() {
        return new Prompt(new byte[0], tokens, exact, seed, null);
    }

    /** Its complete blocks of so many tokens. */
    public synchronized Chain chain(int blockSize) {
        Chain chain = chains.get(blockSize);
        if (chain == null) {
            chain = given == null
                    ? Chain.of(BlockHashes.chain(BlockHashes.ofBytes(content, blockSize * BYTES_PER_TOKEN, seed)))
                    : given.in(blockSize);
            chains.put(blockSize, chain);
        }
        return chain;
    }

    /** A hash of its first kilobyte: what conversations with one beginning have in common. */
    public long prefixHash() {
        return given != null
                ? given.prefixHash(PREFIX_BYTES / BYTES_PER_TOKEN)
                : Hashing.xxh3_64(seed).hashBytesToLong(content, 0, Math.min(content.length, PREFIX_BYTES));
    }

    @Override
    public String toString() {
        return "Prompt[" + tokens + " tokens]";
    }
}
