package io.kvrouter.sim.api;

import java.nio.charset.StandardCharsets;

/**
 * The tokens of a prompt. The simulated tokenizer cuts the text's UTF-8 bytes in chunks of four; a token's id is a
 * 31-bit hash of its chunk, so equal text has equal tokens everywhere, and a text's tokens begin with those of its
 * beginning (but for a last chunk shorter than four).
 */
public final class TokenIds {
    private static final int BYTES_PER_TOKEN = 4;

    private final int[] ids;

    private TokenIds(int[] ids) {
        this.ids = ids;
    }

    public static TokenIds ofText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[Math.ceilDiv(bytes.length, BYTES_PER_TOKEN)];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(bytes, i * BYTES_PER_TOKEN);
        }
        return new TokenIds(ids);
    }

    static TokenIds of(int[] ids) {
        return new TokenIds(ids.clone());
    }

    public int count() {
        return ids.length;
    }

    public int[] toArray() {
        return ids.clone();
    }

    private static int id(byte[] bytes, int from) {
        int to = Math.min(from + BYTES_PER_TOKEN, bytes.length);
        int chunk = to - from;
        for (int i = from; i < to; i++) {
            chunk = chunk * 257 + (bytes[i] & 0xFF) + 1;
        }
        chunk ^= chunk >>> 16;
        chunk *= 0x85EB_CA6B;
        chunk ^= chunk >>> 13;
        return chunk & Integer.MAX_VALUE;
    }
}
