package io.kvrouter.session.world;

import io.kvrouter.session.BindingTable;
import io.kvrouter.session.replica.SweepFloor;
import java.util.List;
import java.util.TreeSet;

/** How rows travel: writes to all, lost, late and repeated at times; anti-entropy; the sweep by the members' clocks. */
final class Gossip {
    private final World world;

    Gossip(World world) {
        this.world = world;
    }

    void start(Node node) {
        every(WorldSettings.GOSSIP_MS, node, () -> exchange(node));
        every(WorldSettings.SWEEP_MS, node, () -> sweep(node));
        every(2 * WorldSettings.SWEEP_MS, node, () -> tellTime(node));
    }

    private void every(long ms, Node node, Runnable what) {
        world.after(world.random.nextLong(ms) + 1, node, () -> {
            what.run();
            every(ms, node, what);
        });
    }

    /** One write; it ends when all have it, or when it has waited long enough. */
    void write(Node from, int table, BindingTable change) {
        from.writesUnderWay.merge(table, 1, Integer::sum);
        long slowest = 0;
        for (Node to : others(from)) {
            long delay = world.delay();
            if (world.chance(world.settings.lossPercent()) || to.pausedUntil > world.now() || !from.hears(to)) {
                slowest = WorldSettings.WRITE_TIMEOUT_MS;
            } else {
                deliver(from, to, delay, table, change);
                slowest = Math.max(slowest, delay);
            }
            if (world.chance(world.settings.lossPercent())) {
                deliver(from, to, world.random.nextLong(1_000), table, change);
            }
        }
        world.after(slowest + 1, from, () -> from.writesUnderWay.merge(table, -1, Integer::sum));
    }

    private void deliver(Node from, Node to, long delay, int table, BindingTable change) {
        if (from.hears(to)) {
            world.after(delay, to, () -> to.take(table, change));
        }
    }

    List<Node> others(Node node) {
        return world.nodes.stream()
                .filter(other -> node.members.contains(other.id) && other.alive && other.id != node.id)
                .toList();
    }

    private void exchange(Node node) {
        world.any(others(node)).filter(node::hears).ifPresent(other -> {
            send(node, other);
            world.after(world.delay(), other, () -> send(other, node));
        });
    }

    /** Whole tables. */
    void send(Node from, Node to) {
        var tables = new TreeSet<>(from.replicated.keySet());
        tables.forEach(table -> {
            var whole = from.replicated(table);
            world.after(world.delay(), to, () -> to.take(table, whole));
        });
    }

    private void tellTime(Node node) {
        long told = node.now();
        node.clocks.put(node, told);
        for (Node other : others(node)) {
            if (node.hears(other)) {
                world.after(world.delay(), other, () -> other.clocks.merge(node, told, Math::max));
            }
        }
    }

    private void sweep(Node node) {
        var members = world.nodes.stream()
                .filter(other -> other.alive && node.members.contains(other.id))
                .toList();
        if (!node.clocks.keySet().containsAll(members)) {
            return;
        }
        long lowest = members.stream().mapToLong(node.clocks::get).min().orElseThrow();
        long floor = new SweepFloor(WorldSettings.SWEEP_MS, world.settings.skewMs()).at(lowest);
        new TreeSet<>(node.replica.keySet()).forEach(table -> {
            long raised = Math.max(floor, node.replicated(table).floorFor(world.settings.bound()));
            if (node.replica(table).due(raised)) {
                world.say(() -> node + " raises the floor of " + table + " to " + raised % 1_000_000);
                node.take(table, BindingTable.of(raised, List.of()));
            }
        });
    }
}
