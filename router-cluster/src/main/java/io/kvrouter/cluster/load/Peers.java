package io.kvrouter.cluster.load;

import io.kvrouter.booking.BookingDesk;
import io.kvrouter.cluster.load.lag.PeerLag;
import io.kvrouter.cluster.load.wire.LoadData;
import io.kvrouter.cluster.load.wire.LoadKey;
import io.kvrouter.load.slice.LoadSlice;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * The other members and their slices. A node's slice counts from the moment it is known until the node is downed or
 * removed, however long nothing is heard of it: its streams load the workers as long as it may live. State of the load
 * actor.
 */
final class Peers {
    private final UniqueAddress self;
    private final BookingDesk desk;
    private final Set<UniqueAddress> members = new HashSet<>();
    private final Set<UniqueAddress> up = new HashSet<>();
    private final Set<UniqueAddress> gone = new HashSet<>(); // for good: a node that starts again has a new uid
    private final Map<UniqueAddress, PeerSlice> known = new TreeMap<>();

    Peers(UniqueAddress self, BookingDesk desk) {
        this.self = self;
        this.desk = desk;
    }

    /** News of a node's slice. Answers whether they told something new. */
    boolean learn(UniqueAddress node, LoadSlice news, long now) {
        if (node.equals(self) || gone.contains(node)) {
            return false;
        }
        PeerSlice before = Optional.ofNullable(known.get(node)).orElseGet(() -> PeerSlice.unheard(node, now));
        LoadSlice merged = before.slice().merge(news);
        if (merged.equals(before.slice())) {
            return false;
        }
        known.put(node, before.with(merged, now));
        tell(node);
        return true;
    }

    /** The replicated slices of some nodes. What it has no more, and no member wrote, is forgotten. */
    int learn(LoadKey key, LoadData data, long now) {
        int newer = 0;
        for (var entry : data.slices().entrySet()) {
            newer += learn(entry.getKey(), entry.getValue(), now) ? 1 : 0;
        }
        known.keySet()
                .removeIf(node -> LoadKey.of(node).equals(key)
                        && !members.contains(node)
                        && !data.slices().containsKey(node));
        return newer;
    }

    void learn(ClusterEvent.MemberEvent event) {
        UniqueAddress node = event.member().uniqueAddress();
        if (event instanceof ClusterEvent.MemberRemoved || event instanceof ClusterEvent.MemberDowned) {
            remove(node);
        } else if (!node.equals(self) && !gone.contains(node)) {
            members.add(node);
            if (event instanceof ClusterEvent.MemberUp) {
                up.add(node);
            }
            tell(node);
        }
    }

    private void remove(UniqueAddress node) {
        gone.add(node);
        members.remove(node);
        up.remove(node);
        known.remove(node);
        Set<Long> left = new HashSet<>();
        members.forEach(member -> left.add(member.longUid()));
        desk.retainPeers(left::contains);
    }

    private void tell(UniqueAddress node) {
        PeerSlice slice = known.get(node);
        if (slice != null && members.contains(node)) {
            desk.peer(node.longUid(), slice.slice());
        }
    }

    /** The other members, known or not. */
    Set<UniqueAddress> members() {
        return members;
    }

    /** What a member is known to see of this node's load; empty if nothing was ever heard of it. */
    Optional<PeerLag> lag(UniqueAddress node) {
        return Optional.ofNullable(known.get(node)).map(PeerSlice::lag);
    }

    /** The last known slices of the other current members, ordered by address. */
    List<PeerSlice> current() {
        return ofMembers().toList();
    }

    private Stream<PeerSlice> ofMembers() {
        return known.values().stream().filter(peer -> members.contains(peer.node()));
    }

    /** The lowest clock of the others as last heard; empty while one that is up was never heard of. */
    OptionalLong lowestClock() {
        return known.keySet().containsAll(up)
                ? OptionalLong.of(ofMembers()
                        .mapToLong(peer -> peer.slice().head().clock())
                        .min()
                        .orElse(Long.MAX_VALUE))
                : OptionalLong.empty();
    }
}
