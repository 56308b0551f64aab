package io.kvrouter.cluster.permit;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.MemberStatus;

/**
 * Nodes that the cluster has taken for dead lately. One that is only cut off may live on, and use the permits that it
 * holds, until it learns of it. Kept on every node from its start, since the office may begin there just after. Safe for
 * use by several threads.
 */
final class DownedNodes {
    private final Duration rest;
    private final LongSupplier nanos;
    private final Map<Long, Long> downedAt = new ConcurrentHashMap<>();

    /**
     * None so far.
     *
     * @param rest how long a node may live on after the cluster has downed it
     * @param nanos a clock like {@link System#nanoTime()}
     */
    DownedNodes(Duration rest, LongSupplier nanos) {
        this.rest = rest;
        this.nanos = nanos;
    }

    /** What happened to a member. Told twice, or by two who are told, the first time counts. */
    void learn(ClusterEvent.MemberEvent event) {
        if (takenForDead(event)) {
            long now = nanos.getAsLong();
            downedAt.values()
                    .removeIf(at -> now - at
                            > 2 * rest.toNanos() + Duration.ofMinutes(1).toNanos());
            downedAt.putIfAbsent(event.member().uniqueAddress().longUid(), now);
        }
    }

    /** A node that leaves by itself is removed from {@code Exiting}, when its requests are over. */
    private static boolean takenForDead(ClusterEvent.MemberEvent event) {
        return event instanceof ClusterEvent.MemberDowned
                || (event instanceof ClusterEvent.MemberRemoved removed
                        && !removed.previousStatus().equals(MemberStatus.exiting()));
    }

    /** How long a node may still live on; nothing of one that was not downed. */
    Duration left(long node) {
        Long at = downedAt.get(node);
        if (at == null) {
            return Duration.ZERO;
        }
        long left = rest.toNanos() - (nanos.getAsLong() - at);
        return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    /** Those that may. */
    Set<Long> resting() {
        return downedAt.keySet().stream().filter(node -> !left(node).isZero()).collect(Collectors.toSet());
    }
}
