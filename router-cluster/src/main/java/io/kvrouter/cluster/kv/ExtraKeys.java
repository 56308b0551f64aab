package io.kvrouter.cluster.kv;

import com.dynatrace.hash4j.hashing.Hashing;
import io.kvrouter.kv.event.BlockKeys;
import java.util.ArrayList;
import java.util.List;

/** Reads the extra keys of one block: vLLM's bare values, and the typed maps of its forks. */
final class ExtraKeys {
    private final MsgpackReader in;
    private final List<String> texts = new ArrayList<>();
    private String salt = "";
    private String adapter = "";
    private long opaque;

    private ExtraKeys(MsgpackReader in) {
        this.in = in;
    }

    static BlockKeys read(MsgpackReader in) {
        var keys = new ExtraKeys(in);
        if (in.next() == MsgpackReader.Kind.ARRAY) {
            int count = in.array();
            for (int i = 0; i < count; i++) {
                keys.readOne();
            }
        } else {
            keys.readOne();
        }
        return new BlockKeys(keys.texts, keys.salt, keys.adapter, keys.opaque);
    }

    private void readOne() {
        switch (in.next()) {
            case TEXT -> texts.add(in.text());
            case MAP -> readTyped();
            case INTEGER, BINARY, ARRAY -> readOpaque();
            case OTHER -> in.skip();
        }
    }

    private void readTyped() {
        int start = in.position();
        String type = "";
        String value = "";
        for (int pairs = in.map(); pairs > 0; pairs--) {
            String name = in.text();
            if (in.next() != MsgpackReader.Kind.TEXT) {
                in.skip();
            } else if (name.equals("type")) {
                type = in.text();
            } else {
                value = in.text();
            }
        }
        switch (type) {
            case "cache_salt" -> salt = value;
            case "lora" -> adapter = value;
            default -> {
                in.seek(start);
                readOpaque();
            }
        }
    }

    /** Images, prompt embeddings and what else no request can be keyed with: only that they are equal counts. */
    private void readOpaque() {
        int start = in.position();
        in.skip();
        opaque += in.hash(start, Hashing.xxh3_64()) | 1;
    }
}
