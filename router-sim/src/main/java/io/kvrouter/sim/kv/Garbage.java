package io.kvrouter.sim.kv;

import java.nio.charset.StandardCharsets;

/** Batches that no reader understands, each wrong in another way. */
final class Garbage {
    private static final byte[][] BATCHES = {
        {(byte) 0xC1, 0x00, (byte) 0xFF}, // a byte that MessagePack never uses
        {(byte) 0x93}, // the head of an array of three, and no element
        {}, // nothing
        {(byte) 0x92, 0x01, (byte) 0xC0}, // no list of events
        {(byte) 0x81, (byte) 0xA2, 't', 's', 0x01}, // a map without events
        {(byte) 0x92, 0x01, (byte) 0xDD, 0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF}, // two billion events announced
        "not MessagePack at all".getBytes(StandardCharsets.US_ASCII),
    };

    private Garbage() {}

    static byte[] batch(int index) {
        return BATCHES[index % BATCHES.length].clone();
    }
}
