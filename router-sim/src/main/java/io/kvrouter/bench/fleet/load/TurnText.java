package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.workload.BlockRun;
import io.kvrouter.bench.workload.SessionTurn;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The requests of one session's turns. Four bytes of text are a token to simulated workers and to a router without the
 * model's files, so a block is a text of fixed length that its number and its session's salt determine.
 */
final class TurnText {
    private static final int TOKEN_BYTES = 4;
    private static final String HEAD =
            "POST /v1/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n";
    private static final byte[] LETTERS =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".getBytes(StandardCharsets.US_ASCII);
    private static final int LETTER_BITS = 6;
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private final LanesShape shape;
    private final long salt;
    private long tails;

    /** @param salt unlike any other session's */
    TurnText(LanesShape shape, long salt) {
        this.shape = shape;
        this.salt = salt;
    }

    /** Tokens of its prompt as sent. */
    int promptTokens(SessionTurn turn) {
        return Math.max(1, turn.promptTokens() / shape.tokenScale());
    }

    /**
     * The whole request.
     *
     * @param id of the session, or of a sub-agent's
     */
    byte[] of(SessionTurn turn, String id) {
        String header = HEAD + (shape.named() ? "x-session-id: " + id + "\r\n" : "");
        byte[] prompt = prompt(turn);
        int output = Math.max(1, Math.round((float) turn.outputTokens() / shape.tokenScale()));
        byte[] before =
                ("{\"model\":\"sim-model\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"max_tokens\":"
                                + output + ",\"prompt\":\"")
                        .getBytes(StandardCharsets.US_ASCII);
        byte[] after = "\"}".getBytes(StandardCharsets.US_ASCII);
        int length = before.length + prompt.length + after.length;
        var request = new ByteArrayOutputStream(length + HEAD.length());
        request.writeBytes((header + "content-length: " + length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(before);
        request.writeBytes(prompt);
        request.writeBytes(after);
        return request.toByteArray();
    }

    byte[] prompt(SessionTurn turn) {
        byte[] text = new byte[TOKEN_BYTES * promptTokens(turn)];
        int blockBytes = TOKEN_BYTES * SessionTurn.BLOCK_TOKENS / shape.tokenScale();
        int at = 0;
        for (BlockRun run : turn.blocks()) {
            long own = run.isShared() ? shape.seed() : salt;
            for (int i = 0; i < run.count(); i++) {
                write(text, at, at + blockBytes, own + STEP * (run.first() + i));
                at += blockBytes;
            }
        }
        tails++;
        write(text, at, text.length, ~salt + STEP * tails);
        return text;
    }

    private static void write(byte[] text, int from, int to, long seed) {
        long state = seed;
        long bits = 0;
        for (int i = from; i < to; i++) {
            if ((i - from) % (Long.SIZE / LETTER_BITS) == 0) {
                state += STEP;
                bits = mixed(state);
            }
            text[i] = LETTERS[(int) bits & LETTERS.length - 1];
            bits >>>= LETTER_BITS;
        }
    }

    /** SplitMix64's finisher. */
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
