package io.kvrouter.sim.kv;

import java.nio.ByteBuffer;

/** A batch on the wire: its place in the stream, and its bytes. */
final class Sequenced {
    private final long sequence;
    private final byte[] payload;

    Sequenced(long sequence, byte[] payload) {
        this.sequence = sequence;
        this.payload = payload;
    }

    long sequence() {
        return sequence;
    }

    /** Eight bytes, the most significant first. */
    byte[] sequenceFrame() {
        return frame(sequence);
    }

    byte[] payload() {
        return payload;
    }

    int size() {
        return payload.length;
    }

    static byte[] frame(long sequence) {
        return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
    }
}
