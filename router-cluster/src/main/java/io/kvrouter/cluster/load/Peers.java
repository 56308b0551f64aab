package io.kvrouter.cluster.load;

import io.kvrouter.load.LoadSlice;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * The other members and their slices. A node's slice counts from the moment it is known until the node is downed or
 * removed, however long nothing is heard of it: its streams load the workers as long as it may live. State of the load
 * actor.
 */
final class Peers {
    private final UniqueAddress self;
    private final Set<UniqueAddress> members = new HashSet<>();
    private final Set<UniqueAddress> up = new HashSet<>();
    private final Map<LoadKey, Map<UniqueAddress, LoadSlice>> slices = new HashMap<>();
    private final Map<UniqueAddress, Heard> heard = new HashMap<>();

    private record Heard(long version, long at) {}

    Peers(UniqueAddress self) {
        this.self = self;
    }

    /** A value changed, or came for the first time. Answers how many slices in it are newer than before. */
    int learn(LoadKey key, LoadData data, long now) {
        slices.put(key, data.slices());
        int newer = 0;
        for (var entry : data.slices().entrySet()) {
            long version = entry.getValue().head().version();
            Heard before = heard.get(entry.getKey());
            if (!entry.getKey().equals(self) && (before == null || before.version < version)) {
                heard.put(entry.getKey(), new Heard(version, now));
                newer++;
            }
        }
        heard.keySet().removeIf(node -> slices.values().stream().noneMatch(known -> known.containsKey(node)));
        return newer;
    }

    void learn(ClusterEvent.MemberEvent event) {
        UniqueAddress node = event.member().uniqueAddress();
        if (event instanceof ClusterEvent.MemberRemoved || event instanceof ClusterEvent.MemberDowned) {
            members.remove(node);
            up.remove(node);
        } else if (!node.equals(self)) {
            members.add(node);
            if (event instanceof ClusterEvent.MemberUp) {
                up.add(node);
            }
        }
    }

    /** The last known slices of the other current members, ordered by address. */
    List<PeerSlice> current() {
        return slices.values().stream()
                .flatMap(known -> known.entrySet().stream())
                .filter(entry -> members.contains(entry.getKey()))
                .map(entry ->
                        new PeerSlice(entry.getKey().address().toString(), entry.getValue(), heardAt(entry.getKey())))
                .toList();
    }

    /** The lowest clock of the others as last heard; empty while one that is up was never heard of. */
    OptionalLong lowestClock() {
        Collection<PeerSlice> known = current();
        return heard.keySet().containsAll(up)
                ? OptionalLong.of(known.stream()
                        .mapToLong(peer -> peer.slice().head().clock())
                        .min()
                        .orElse(Long.MAX_VALUE))
                : OptionalLong.empty();
    }

    private long heardAt(UniqueAddress node) {
        Heard last = heard.get(node);
        return last == null ? 0 : last.at;
    }
}
