package io.kvrouter.kv.event;

import java.util.List;

/**
 * What an engine hashed into a block besides its tokens.
 *
 * @param texts without a type, as vLLM publishes them: the adapter's name, and the cache salt in a chain's first block
 * @param salt the cache salt where it is typed; empty for none
 * @param adapter the adapter's name where it is typed; empty for none
 * @param opaque fingerprint of what no request can be keyed with, as images; 0 for none
 */
public record BlockKeys(List<String> texts, String salt, String adapter, long opaque) {
    public BlockKeys {
        texts = List.copyOf(texts);
    }

    /** Untyped texts only. */
    public static BlockKeys ofTexts(String... texts) {
        return new BlockKeys(List.of(texts), "", "", 0);
    }
}
