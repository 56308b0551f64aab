package io.kvrouter.kv.event;

import java.util.List;

/** Reads the bytes of one published batch. */
@FunctionalInterface
public interface BatchDecoder {
    /**
     * The events of a batch in their order. Never fails: what can't be read is {@link KvEvent.Malformed}, and the rest
     * is read all the same as far as its place in the bytes is known.
     */
    List<KvEvent> decode(byte[] payload);
}
