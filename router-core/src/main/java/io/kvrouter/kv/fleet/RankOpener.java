package io.kvrouter.kv.fleet;

import io.kvrouter.kv.event.CacheWriter;
import io.kvrouter.kv.stream.RankStream;
import io.kvrouter.kv.stream.StreamSettings;
import java.util.function.BooleanSupplier;

/**
 * Starts to follow a rank.
 *
 * @param full whether all indexes together have no room
 */
record RankOpener(StreamParts parts, StreamSettings settings, BooleanSupplier full) {
    OpenRank open(RankSource source, Partition partition) {
        var cache = partition.index().open();
        var writer = new CacheWriter(cache, partition.blockSize(), full);
        long now = parts.clock().getAsLong();
        var stream = new RankStream(
                writer, parts.decoder(), settings, source.replay().isPresent(), now);
        long patience = parts.patience().getAsLong();
        if (patience > 0) {
            stream.hold(now + patience);
        }
        return new OpenRank(source, partition, cache, stream, parts.sources().open(source, stream));
    }
}
