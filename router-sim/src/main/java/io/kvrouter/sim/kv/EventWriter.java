package io.kvrouter.sim.kv;

import io.kvrouter.sim.engine.KvEvent;
import io.kvrouter.sim.engine.Passage;
import java.io.IOException;
import java.math.BigInteger;
import java.util.OptionalLong;
import org.msgpack.core.MessagePacker;

/** Writes events with the fields of vLLM's: as an array in the order of its struct, or as a map. */
final class EventWriter {
    private static final String MEDIUM = "GPU";
    private static final int STORED_FIELDS = 8;
    private static final int REMOVED_FIELDS = 2;

    private final MessagePacker out;
    private final boolean array;
    private final int blockSize;

    EventWriter(MessagePacker out, KvEventSettings.Form form, int blockSize) {
        this.out = out;
        this.array = form == KvEventSettings.Form.ARRAY;
        this.blockSize = blockSize;
    }

    void write(KvEvent event) throws IOException {
        switch (event) {
            case KvEvent.Stored stored -> writeStored(stored);
            case KvEvent.Removed removed -> {
                head("BlockRemoved", REMOVED_FIELDS);
                name("block_hashes");
                hashes(removed.blocks());
                name("medium").packString(MEDIUM);
            }
        }
    }

    private void writeStored(KvEvent.Stored stored) throws IOException {
        long[] blocks = stored.blocks();
        head("BlockStored", STORED_FIELDS);
        name("block_hashes");
        hashes(blocks);
        name("parent_block_hash");
        OptionalLong parent = stored.parent();
        if (parent.isPresent()) {
            hash(parent.getAsLong());
        } else {
            out.packNil();
        }
        name("token_ids");
        int[] tokens = stored.tokens(blockSize);
        out.packArrayHeader(tokens.length);
        for (int token : tokens) {
            out.packInt(token);
        }
        name("block_size").packInt(blockSize);
        name("lora_id").packNil();
        name("medium").packString(MEDIUM);
        name("lora_name");
        textOrNil(stored.scope().adapter());
        name("extra_keys");
        extraKeys(stored.scope(), blocks.length, parent.isEmpty());
    }

    /** For each block what went into its hash besides tokens: the adapter's name, and in a sequence's first the salt. */
    private void extraKeys(Passage.Scope scope, int blocks, boolean fromStart) throws IOException {
        if (scope.equals(Passage.Scope.COMMON)) {
            out.packNil();
            return;
        }
        out.packArrayHeader(blocks);
        for (int block = 0; block < blocks; block++) {
            boolean salted = fromStart && block == 0 && !scope.salt().isEmpty();
            int keys = (scope.adapter().isEmpty() ? 0 : 1) + (salted ? 1 : 0);
            if (keys == 0) {
                out.packNil();
                continue;
            }
            out.packArrayHeader(keys);
            if (!scope.adapter().isEmpty()) {
                out.packString(scope.adapter());
            }
            if (salted) {
                out.packString(scope.salt());
            }
        }
    }

    private void head(String type, int fields) throws IOException {
        if (array) {
            out.packArrayHeader(fields + 1).packString(type);
        } else {
            out.packMapHeader(fields + 1).packString("type").packString(type);
        }
    }

    private MessagePacker name(String field) throws IOException {
        return array ? out : out.packString(field);
    }

    private void hashes(long[] hashes) throws IOException {
        out.packArrayHeader(hashes.length);
        for (long hash : hashes) {
            hash(hash);
        }
    }

    private void hash(long hash) throws IOException {
        if (hash >= 0 || !array) {
            out.packLong(hash);
        } else {
            out.packBigInteger(new BigInteger(Long.toUnsignedString(hash)));
        }
    }

    private void textOrNil(String text) throws IOException {
        if (text.isEmpty()) {
            out.packNil();
        } else {
            out.packString(text);
        }
    }
}
