package io.kvrouter.session.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Where session actors live, and how nodes come and go. Messages of one node to one shard keep their order. */
final class Shards {
    /** Those that the world's sessions are in; of each one table is used. */
    static final int USED = 4;

    private record Link(Node from, int shard) {}

    private final World world;
    private final Map<Integer, Node> homes = new TreeMap<>();
    private final Map<Integer, List<Request>> waiting = new HashMap<>();
    private final Map<Link, Long> lastArrival = new HashMap<>();

    Shards(World world) {
        this.world = world;
    }

    void spread() {
        IntStream.range(0, USED).forEach(shard -> settle(shard, world.nodes.get(shard % world.nodes.size())));
    }

    Node home(int shard) {
        return java.util.Objects.requireNonNull(homes.get(shard));
    }

    void send(Node from, Request request) {
        int shard = request.key().shard();
        long arrival = Math.max(lastArrival.getOrDefault(new Link(from, shard), 0L), world.now() + world.delay());
        lastArrival.put(new Link(from, shard), arrival);
        world.after(arrival - world.now(), () -> deliver(from, request));
    }

    private void deliver(Node from, Request request) {
        int shard = request.key().shard();
        var home = from.isolated && from.hosted.contains(shard) ? from : homes.get(shard);
        if (waiting.containsKey(shard) && !from.isolated) {
            waiting.get(shard).add(request);
        } else if (home != null && home.alive && (home == from || from.hears(home))) {
            world.after(0, home, () -> home.host.receive(request));
        } else {
            world.say(() -> "lost: " + request);
        }
    }

    /** The shard's actors stop, then it has a new home; meanwhile its messages wait. */
    void move(int shard, Node to) {
        var from = home(shard);
        if (waiting.containsKey(shard) || from == to || !from.alive || from.isolated) {
            return;
        }
        world.say(() -> "shard " + shard + " moves from " + from + " to " + to);
        waiting.put(shard, new ArrayList<>());
        world.after(world.delay(), from, () -> from.host.stop(shard));
        awaitStopped(shard, from, to);
    }

    private void awaitStopped(int shard, Node from, Node to) {
        world.after(10 + world.random.nextLong(20), () -> {
            if (!from.alive || homes.get(shard) != from) {
                return; // a new home is found when its node is removed
            }
            if (from.host.empty(shard) && !from.isolated) {
                from.hosted.remove(shard);
                settle(shard, to.alive && !to.leaving && !to.isolated ? to : anyReady());
            } else {
                world.after(0, from, () -> from.host.stop(shard));
                awaitStopped(shard, from, to);
            }
        });
    }

    private void settle(int shard, Node home) {
        world.say(() -> "shard " + shard + " lives at " + home);
        homes.put(shard, home);
        home.hosted.add(shard);
        var waited = waiting.remove(shard);
        if (waited != null) {
            waited.forEach(request -> world.after(0, home, () -> home.host.receive(request)));
        }
    }

    private Node anyReady() {
        return world.any(world.ready().stream().filter(node -> !node.isolated).toList())
                .orElseThrow();
    }

    /** The process is gone at once, and its turns with it. The others find out later. */
    void kill(Node node) {
        world.say(() -> node + " is killed");
        world.laws.killed(node);
        node.alive = false;
        node.turns.forEach(TurnRun::vanish);
        world.after(WorldSettings.DOWN_AFTER_MS, () -> remove(node));
    }

    private void remove(Node node) {
        world.say(() -> node + " is removed");
        world.nodes.forEach(other -> {
            other.members.remove(node.id);
            other.clocks.remove(node);
        });
        for (int shard = 0; shard < USED; shard++) {
            if (homes.get(shard) == node) {
                settle(shard, anyReady());
            }
        }
    }

    /** Cut off for some time; removed by the others if that is too long, then gone some time later. */
    void isolate(Node node, long ms) {
        world.say(() -> node + " is cut off for " + ms);
        node.isolated = true;
        if (ms < WorldSettings.DOWN_AFTER_MS) {
            world.after(ms, () -> node.isolated = false);
            return;
        }
        world.laws.killed(node);
        world.after(WorldSettings.DOWN_AFTER_MS, () -> remove(node));
        world.after(Math.max(ms, WorldSettings.DOWN_AFTER_MS + 1), () -> {
            node.alive = false;
            node.turns.forEach(TurnRun::vanish);
        });
    }

    /** Hands its shards over, waits for its turns, goes. */
    void leave(Node node) {
        world.say(() -> node + " leaves");
        node.leaving = true;
        List.copyOf(node.hosted).forEach(shard -> move(shard, anyReady()));
        awaitDrained(node, world.now() + 3_000);
    }

    private void awaitDrained(Node node, long until) {
        world.after(50, () -> {
            if (!node.alive) {
                return;
            }
            List.copyOf(node.hosted).forEach(shard -> move(shard, anyReady()));
            boolean running = node.turns.stream().anyMatch(TurnRun::running);
            if (!node.hosted.isEmpty() || (running && world.now() < until)) {
                awaitDrained(node, until);
                return;
            }
            node.turns.forEach(TurnRun::end);
            world.after(WorldSettings.LONGEST_DELAY_MS + 1_000, () -> {
                world.laws.killed(node);
                node.alive = false;
                remove(node);
            });
        });
    }

    /** A new node: the others come to know it, it reads the tables of one that is ready, then it hosts shards. */
    Node join() {
        var joining = world.add(world.offset());
        world.say(() -> joining + " joins");
        world.alive().forEach(other -> {
            joining.learn(other);
            world.after(world.random.nextLong(800), () -> other.learn(joining));
        });
        awaitKnown(joining);
        return joining;
    }

    private void awaitKnown(Node joining) {
        world.after(50, joining, () -> {
            if (world.alive().stream().allMatch(other -> other.members.contains(joining.id))) {
                world.any(world.ready().stream()
                                .filter(node -> !node.isolated && node.pausedUntil <= world.now())
                                .toList())
                        .ifPresentOrElse(peer -> read(joining, peer, 0), () -> awaitKnown(joining));
            } else {
                awaitKnown(joining);
            }
        });
    }

    private void read(Node joining, Node peer, int table) {
        world.after(world.delay(), () -> {
            if (!peer.alive || peer.isolated || peer.pausedUntil > world.now()) {
                awaitKnown(joining);
                return;
            }
            var whole = peer.replica(table).whole();
            world.after(world.delay(), joining, () -> {
                joining.replica.put(table, joining.replica(table).merge(whole));
                if (table + 1 < USED) {
                    read(joining, peer, table + 1);
                } else {
                    joining.ready = true;
                    world.say(() -> joining + " is ready");
                    rebalance(joining);
                }
            });
        });
    }

    private void rebalance(Node joined) {
        for (int shard = 0; shard < USED; shard++) {
            if (world.chance(40) && !joined.isolated) {
                move(shard, joined);
            }
        }
    }
}
