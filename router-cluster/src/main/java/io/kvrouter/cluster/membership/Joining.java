package io.kvrouter.cluster.membership;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a node into the cluster, once.
 *
 * <ul>
 *   <li>No list: the node forms a cluster of its own, at once.
 *   <li>A list: the same on every node, itself included. Only its first entry may form a cluster, and only after none
 *       of the others answered.
 *   <li>One name that resolves to the nodes: wait until it gives {@code expectedNodes} addresses, unchanged for 5 s,
 *       then as a list, sorted.
 * </ul>
 *
 * There is no self-join on a timer: nodes that can't see each other would become islands.
 */
public final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final Duration RESOLVE_INTERVAL = Duration.ofSeconds(1);
    private static final int UNCHANGED_ROUNDS = 5;

    private final ActorSystem<?> system;
    private final Cluster cluster;

    public Joining(ActorSystem<?> system) {
        this.system = system;
        this.cluster = Cluster.get(system);
    }

    /**
     * Starts to join; the cluster's own events tell when the node is a member.
     *
     * @param seeds remoting addresses; empty = single node
     * @param expectedNodes how many addresses a single DNS name must resolve to; 0 = the seeds are a list
     */
    public void join(List<HostAndPort> seeds, int expectedNodes) {
        if (Math.max(seeds.size(), expectedNodes) == 2) {
            LOG.warn("a cluster of 2 nodes can't tell a crash from a partition: run 1, or at least 3");
        }
        if (seeds.isEmpty()) {
            cluster.manager().tell(Join.create(cluster.selfMember().address()));
        } else if (expectedNodes > 0) {
            var unused =
                    new Resolution(seeds.getFirst(), expectedNodes).settled().thenAccept(this::joinSeeds);
        } else {
            joinSeeds(seeds);
        }
    }

    private void joinSeeds(List<HostAndPort> seeds) {
        List<Address> addresses = seeds.stream()
                .map(seed -> new Address("pekko", system.name(), seed.host(), seed.port()))
                .toList();
        Address self = cluster.selfMember().address();
        if (!addresses.contains(self)) {
            LOG.warn(
                    "kvrouter.join {} does not have this node, {}: it can join nodes that have a cluster, and never forms"
                            + " one. If it is meant to be one of them, kvrouter.host and remoting-port must say the"
                            + " same as the list",
                    seeds,
                    self.hostPort().replaceFirst("^.*@", ""));
        }
        cluster.manager().tell(new JoinSeedNodes(addresses));
    }

    /** A DNS name on its way to a stable set of addresses. */
    private final class Resolution {
        private final HostAndPort name;
        private final int expected;
        private final CompletableFuture<List<HostAndPort>> settled = new CompletableFuture<>();
        private final AtomicReference<List<HostAndPort>> last = new AtomicReference<>(List.of());
        private int unchanged;

        Resolution(HostAndPort name, int expected) {
            this.name = name;
            this.expected = expected;
        }

        CompletionStage<List<HostAndPort>> settled() {
            Cancellable rounds = system.scheduler()
                    .scheduleWithFixedDelay(Duration.ZERO, RESOLVE_INTERVAL, this::round, system.executionContext());
            return settled.whenComplete((seeds, failure) -> rounds.cancel());
        }

        private void round() {
            List<HostAndPort> found = resolve();
            unchanged = found.equals(last.getAndSet(found)) ? unchanged + 1 : 0;
            if (found.size() == expected && unchanged >= UNCHANGED_ROUNDS) {
                settled.complete(found);
            } else if (found.size() != expected) {
                LOG.info("join: {} resolves to {} addresses, waiting for {}", name.host(), found.size(), expected);
            }
        }

        private List<HostAndPort> resolve() {
            try {
                return Arrays.stream(InetAddress.getAllByName(name.host()))
                        .map(address -> new HostAndPort(address.getHostAddress(), name.port()))
                        .sorted()
                        .toList();
            } catch (UnknownHostException e) {
                return List.of();
            }
        }
    }
}
