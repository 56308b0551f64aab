package io.kvrouter.sim.kv;

import java.io.IOException;
import org.msgpack.core.MessagePacker;

/** Events that a reader must pass over, while it takes the others of their batch. */
enum BrokenEvent {
    OF_UNKNOWN_TYPE {
        @Override
        void write(MessagePacker out) throws IOException {
            out.packArrayHeader(2).packString("BlockMoved").packArrayHeader(1).packLong(1);
        }
    },
    NO_EVENT_AT_ALL {
        @Override
        void write(MessagePacker out) throws IOException {
            out.packInt(7);
        }
    },
    WITHOUT_ITS_FIELDS {
        @Override
        void write(MessagePacker out) throws IOException {
            out.packArrayHeader(2).packString("BlockStored").packArrayHeader(1).packLong(1);
        }
    },
    WITH_A_TEXT_FOR_ITS_BLOCKS {
        @Override
        void write(MessagePacker out) throws IOException {
            out.packMapHeader(2).packString("type").packString("BlockRemoved");
            out.packString("block_hashes").packString("all");
        }
    },
    WITHOUT_TOKENS {
        @Override
        void write(MessagePacker out) throws IOException {
            stored(out, 0).packInt(16);
        }
    },
    WITH_BLOCKS_OF_SIZE_ZERO {
        @Override
        void write(MessagePacker out) throws IOException {
            stored(out, 4).packInt(0);
        }
    };

    abstract void write(MessagePacker out) throws IOException;

    /** A stored block at the start of a sequence, up to its tokens; the block size is to follow. */
    private static MessagePacker stored(MessagePacker out, int tokens) throws IOException {
        out.packArrayHeader(5)
                .packString("BlockStored")
                .packArrayHeader(1)
                .packLong(1)
                .packNil();
        out.packArrayHeader(tokens);
        for (int token = 0; token < tokens; token++) {
            out.packInt(token);
        }
        return out;
    }
}
