package io.kvrouter.sim.tokens;

import com.carrotsearch.hppc.IntArrayList;
import java.nio.charset.StandardCharsets;

/**
 * The tokens of a prompt. The simulated tokenizer cuts the text's UTF-8 bytes in chunks of four; a token's id is a
 * 31-bit hash of its chunk, so equal text has equal tokens everywhere, and a text's tokens begin with those of its
 * beginning (but for a last chunk shorter than four).
 *
 * <p>Cutting starts afresh before and after a role's mark, {@code <|assistant|>} with the line's end that follows, as
 * real tokenizers do at special tokens: so the tokens of an answer do not depend on what was before.
 */
public final class TokenIds {
    private static final int BYTES_PER_TOKEN = 4;
    private static final int LONGEST_ROLE = 32;

    private final int[] ids;

    private TokenIds(int[] ids) {
        this.ids = ids;
    }

    public static TokenIds ofText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var ids = new IntArrayList(Math.ceilDiv(bytes.length, BYTES_PER_TOKEN));
        int from = 0;
        int at = 0;
        while (at < bytes.length) {
            int end = bytes[at] == '<' ? endOfMark(bytes, at) : at;
            if (end > at) {
                cut(bytes, from, at, ids);
                cut(bytes, at, end, ids);
                from = end;
            }
            at = Math.max(at + 1, end);
        }
        cut(bytes, from, bytes.length, ids);
        return new TokenIds(ids.toArray());
    }

    /** These ids. */
    public static TokenIds of(int[] ids) {
        return new TokenIds(ids.clone());
    }

    public int count() {
        return ids.length;
    }

    public int[] toArray() {
        return ids.clone();
    }

    /** Where the mark ends that begins here; here, if none does. */
    private static int endOfMark(byte[] bytes, int start) {
        int at = start + 1;
        if (at == bytes.length || bytes[at] != '|') {
            return start;
        }
        at++;
        int limit = Math.min(bytes.length - 1, at + LONGEST_ROLE);
        while (at < limit && bytes[at] >= 'a' && bytes[at] <= 'z') {
            at++;
        }
        if (at >= bytes.length - 1 || bytes[at] != '|' || bytes[at + 1] != '>') {
            return start;
        }
        at += 2;
        return at < bytes.length && bytes[at] == '\n' ? at + 1 : at;
    }

    private static void cut(byte[] bytes, int from, int to, IntArrayList ids) {
        for (int at = from; at < to; at += BYTES_PER_TOKEN) {
            ids.add(id(bytes, at, Math.min(at + BYTES_PER_TOKEN, to)));
        }
    }

    private static int id(byte[] bytes, int from, int to) {
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
