package io.kvrouter.bench.proxy.peer;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A server-sent event of always the same size that says when it was sent, on a clock that all processes of a machine
 * share: how long it was on its way is read at its other end, and how many came is told by their bytes.
 */
public final class Event {
    /** Of each event but the last of a stream. */
    public static final int BYTES = 200;

    /** Of the last one, which says that there is no more. */
    public static final int DONE_BYTES = 14;

    /** Where the time stands. */
    public static final int TIME_AT = 12;

    /** Digits of the time, hexadecimal. */
    public static final int TIME_DIGITS = 16;

    private static final int DIGIT = 4;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DONE = "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHUNK = chunk();
    private static final int CHUNK_HEAD = 4;

    private Event() {}

    private static byte[] chunk() {
        String begin = "data: {\"t\":\"" + "0".repeat(TIME_DIGITS)
                + "\",\"object\":\"chat.completion.chunk\",\"choices\":" + "[{\"index\":0,\"delta\":{\"content\":\"";
        String end = "\"},\"finish_reason\":null}]}\n\n";
        String event = begin + "x".repeat(BYTES - begin.length() - end.length()) + end;
        return (Integer.toHexString(BYTES) + "\r\n" + event + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Writes one as a chunk of HTTP. */
    static void write(ByteBuf out, long nanos) {
        int at = out.writerIndex() + CHUNK_HEAD + TIME_AT;
        out.writeBytes(CHUNK);
        for (int i = 0; i < TIME_DIGITS; i++) {
            int shift = (TIME_DIGITS - 1 - i) * DIGIT;
            out.setByte(at + i, DIGITS[(int) (nanos >>> shift) & 0xf]);
        }
    }

    /** Writes the last one, and the end of the body. */
    static void writeDone(ByteBuf out) {
        out.writeBytes(DONE);
    }

    /** When an event was sent whose time begins there. */
    public static long time(ByteBuf in, int at) {
        long nanos = 0;
        for (int i = 0; i < TIME_DIGITS; i++) {
            nanos = nanos << DIGIT | Character.digit(in.getByte(at + i), 16);
        }
        return nanos;
    }
}
