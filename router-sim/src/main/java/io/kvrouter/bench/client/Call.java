package io.kvrouter.bench.client;

import io.netty.buffer.ByteBuf;

/** A request as its client has it. All methods are called on the client's thread. */
public interface Call {
    /** Head and body. Asked for when it is sent, so that what waits takes no memory. */
    byte[] request();

    /** A part of the answer's body came, valid until this returns. */
    default void part(Head head, ByteBuf body) {}

    /** What became of it. Heard once. */
    void ended(Outcome outcome);
}
