package io.kvrouter.cluster.kv.join;

import io.kvrouter.cluster.kv.join.SnapshotPeer.Chunk;
import io.kvrouter.cluster.kv.join.SnapshotPeer.Offer;
import io.kvrouter.kv.event.CacheChunk;
import io.kvrouter.kv.stream.RankSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.jspecify.annotations.Nullable;

/** How far one rank is read from another node. */
final class Reading {
    private final Deque<Address> peers;
    private final List<CacheChunk> chunks = new ArrayList<>();
    private @Nullable Offer offer;
    private long deadline;

    Reading(Collection<Address> peers) {
        this.peers = new ArrayDeque<>(peers);
    }

    /** The next member to ask; empty when all were. */
    Optional<Address> nextPeer(long until) {
        offer = null;
        chunks.clear();
        deadline = until;
        return Optional.ofNullable(peers.poll());
    }

    /** An offer came. One that comes after another was taken is left. */
    boolean takes(Offer offered, long until) {
        boolean taken = offer == null;
        if (taken) {
            offer = offered;
            deadline = until;
        }
        return taken;
    }

    /** The chunk that is wanted next; empty where all are there. */
    Optional<Integer> nextChunk() {
        return offer == null || chunks.size() == offer.chunks() ? Optional.empty() : Optional.of(chunks.size());
    }

    /** Whether a chunk is the one that is wanted next, which is then taken. */
    boolean takes(Chunk chunk, long until) {
        boolean wanted = reads(chunk.transfer()) && chunk.number() == chunks.size();
        if (wanted) {
            chunks.add(chunk.blocks());
            deadline = until;
        }
        return wanted;
    }

    boolean reads(long transfer) {
        return offer != null && offer.transfer() == transfer;
    }

    boolean late(long now) {
        return now >= deadline;
    }

    /** What was read, when all of it is there. */
    Optional<RankSnapshot> snapshot() {
        return offer != null && chunks.size() == offer.chunks()
                ? Optional.of(new RankSnapshot(offer.place(), chunks))
                : Optional.empty();
    }

    Offer offer() {
        if (offer == null) {
            throw new IllegalStateException("nothing was offered");
        }
        return offer;
    }
}
