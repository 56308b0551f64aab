package io.kvrouter.session;

import java.util.HexFormat;

/** A session's name inside the router: 128 bits of hash, so that no session id is in an actor path, log or metric. */
public record SessionKey(long high, long low) implements Comparable<SessionKey> {
    /** Binding tables, each one replicated value. A multiple of {@link #SHARDS}. */
    public static final int TABLES = 8_192;

    /** Shards of the session actors. Fixed for a cluster's life. */
    public static final int SHARDS = 128;

    /** Reads what {@link #toString} wrote. */
    public static SessionKey parse(String hex) {
        if (hex.length() != 2 * Long.BYTES * 2) {
            throw new IllegalArgumentException(
                    "session key: " + hex.length() + " characters (expected: 32 hex digits)");
        }
        return new SessionKey(HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, 32));
    }

    /** Which binding table has its row. */
    public int table() {
        return Math.floorMod(low, TABLES);
    }

    /** Which shard has its actor: the tables of a shard are its own. */
    public int shard() {
        return Math.floorMod(low, SHARDS);
    }

    @Override
    public int compareTo(SessionKey other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
