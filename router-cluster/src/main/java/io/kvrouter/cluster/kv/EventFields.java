package io.kvrouter.cluster.kv;

import io.kvrouter.cluster.kv.MsgpackReader.Malformed;
import io.kvrouter.kv.event.BlockKeys;
import io.kvrouter.kv.event.BlocksRemoved;
import io.kvrouter.kv.event.BlocksStored;
import io.kvrouter.kv.event.KvEvent;
import io.kvrouter.kv.event.Lineage;
import io.kvrouter.kv.event.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of one event, in whatever order and form they came. */
final class EventFields {
    static final String STORED = "BlockStored";
    static final String REMOVED = "BlockRemoved";

    /** Fields in the order of the array form; engines leave the last ones out. */
    private static final List<String> STORED_FIELDS = List.of(
            "block_hashes",
            "parent_block_hash",
            "token_ids",
            "block_size",
            "lora_id",
            "medium",
            "lora_name",
            "extra_keys",
            "group_idx",
            "kv_cache_spec_kind");

    private static final List<String> REMOVED_FIELDS = List.of("block_hashes", "medium", "group_idx");

    private final MsgpackReader in;
    private long @Nullable [] hashes;
    private @Nullable Long parent;
    private int @Nullable [] tokens;
    private int blockSize = -1;
    private @Nullable String adapterId;
    private @Nullable String adapter;
    private @Nullable String medium;
    private @Nullable String locality;
    private @Nullable String kind;
    private int group = Placement.NO_GROUP;
    private List<@Nullable BlockKeys> keys = List.of();

    EventFields(MsgpackReader in) {
        this.in = in;
    }

    static List<String> order(String type) {
        return type.equals(STORED) ? STORED_FIELDS : REMOVED_FIELDS;
    }

    /** Reads a field's value; passes over one that says nothing to this router. */
    void read(String name) {
        switch (name) {
            case "block_hashes" -> hashes = hashes();
            case "parent_block_hash" -> parent = in.nil() ? null : (Long) hash();
            case "token_ids" -> tokens = tokens();
            case "block_size" -> blockSize = (int) Math.min(in.integer(), Integer.MAX_VALUE);
            case "lora_id" -> adapterId = id();
            case "lora_name" -> adapter = text();
            case "medium" -> medium = text();
            case "locality" -> locality = text();
            case "kv_cache_spec_kind" -> kind = text();
            case "group_idx" -> group = in.nil() ? Placement.NO_GROUP : (int) in.integer();
            case "extra_keys" -> keys = keys();
            default -> in.skip();
        }
    }

    private long hash() {
        return in.next() == MsgpackReader.Kind.BINARY ? in.binary() : in.integer();
    }

    private long[] hashes() {
        long[] values = new long[in.array()];
        for (int i = 0; i < values.length; i++) {
            values[i] = hash();
        }
        return values;
    }

    private int[] tokens() {
        int[] values = new int[in.array()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (int) in.integer();
        }
        return values;
    }

    private @Nullable String text() {
        return in.nil() ? null : in.text();
    }

    private @Nullable String id() {
        return in.next() == MsgpackReader.Kind.INTEGER ? Long.toString(in.integer()) : text();
    }

    private List<@Nullable BlockKeys> keys() {
        if (in.nil()) {
            return List.of();
        }
        int blocks = in.array();
        List<@Nullable BlockKeys> all = new ArrayList<>(blocks);
        for (int i = 0; i < blocks; i++) {
            all.add(in.nil() ? null : ExtraKeys.read(in));
        }
        return all;
    }

    /** The event that the fields make. */
    KvEvent toEvent(String type) {
        boolean remote = locality != null && !locality.toUpperCase(Locale.ROOT).equals("LOCAL");
        var placement = new Placement(medium, remote, group, kind);
        if (hashes == null) {
            throw new Malformed("an event without block_hashes");
        }
        if (type.equals(REMOVED)) {
            return new BlocksRemoved(hashes, placement);
        }
        if (tokens == null || blockSize < 0) {
            throw new Malformed("an event without token_ids or block_size");
        }
        var lineage = new Lineage(parent, Lineage.adapter(adapter, adapterId), keys);
        return new BlocksStored(hashes, tokens, blockSize, lineage, placement);
    }
}
