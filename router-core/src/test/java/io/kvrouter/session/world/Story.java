package io.kvrouter.session.world;

import io.kvrouter.session.SessionKey;
import java.util.List;
import java.util.stream.IntStream;

/** What chance does to a world: turns, faults, and in the end silence. */
final class Story {
    private static final int LONGER = 6;
    private static final int SESSIONS = 10;
    private static final long LENGTH_MS = 25_000;

    private final World world;
    private final boolean faults;
    private final List<SessionKey> keys = IntStream.range(0, SESSIONS)
            .mapToObj(i -> new SessionKey(i, i % Shards.USED))
            .toList();
    private long ttl;
    private long ends;

    Story(World world, boolean faults) {
        this.world = world;
        this.faults = faults;
        ttl = world.settings.ttlMs();
    }

    void tell() {
        ends = world.now() + LENGTH_MS;
        turns();
        if (faults) {
            troubles();
        }
        world.runFor(LENGTH_MS);
        world.turns.forEach(TurnRun::end);
        world.nodes.forEach(node -> node.pausedUntil = 0);
        world.runFor(3 * WorldSettings.DOWN_AFTER_MS + 8 * WorldSettings.GOSSIP_MS);
        world.laws.converge();
        world.laws.forget(forgottenAfter());
        world.laws.converge();
    }

    /** Until the last row, a removal made at the last deadline, is swept, and the last actor is gone. */
    private long forgottenAfter() {
        var s = world.settings;
        return 2 * LONGER * s.ttlMs() + 4 * s.skewMs() + 3 * s.stepMs() + 25_000 + 8 * WorldSettings.GOSSIP_MS;
    }

    private void turns() {
        world.after(world.random.nextLong(120), () -> {
            if (world.now() < ends - 2_000) {
                world.any(world.ready()).ifPresent(this::turn);
                turns();
            }
        });
    }

    private void turn(Node node) {
        var key = keys.get(world.random.nextInt(SESSIONS));
        boolean isLong = world.chance(8);
        var turn = world.turn(node, key, ttl)
                .pushedBack(faults ? 5 : 0)
                .lasts(isLong ? world.random.nextLong(3 * world.settings.ttlMs()) : world.random.nextLong(ttl / 3));
        if (world.chance(6)) {
            turn.last();
        }
        world.after(0, node, turn::begin);
        if (world.chance(6)) {
            world.after(world.random.nextLong(ttl / 2), node, turn::end);
        }
    }

    private void troubles() {
        world.after(world.random.nextLong(2_500), () -> {
            if (world.now() < ends - 6_000) {
                trouble();
                troubles();
            }
        });
    }

    private void trouble() {
        boolean spare = world.ready().stream().filter(node -> !node.isolated).count() > 2;
        switch (world.random.nextInt(11)) {
            case 0 -> victim(spare, world.shards::kill);
            case 1 -> victim(spare, node -> world.shards.isolate(node, 200 + world.random.nextLong(1_200)));
            case 2 -> victim(spare && world.chance(40), node -> world.shards.isolate(node, 2_000));
            case 3 -> victim(spare, world.shards::leave);
            case 4 -> victim(true, node -> node.pausedUntil = world.now() + world.random.nextLong(1_200));
            case 5, 6 -> joins();
            case 7 -> workerDies();
            case 8 -> ttl = world.random.nextBoolean() ? world.settings.ttlMs() : LONGER * world.settings.ttlMs();
            case 9 -> rebalance();
            default ->
                world.any(keys)
                        .ifPresent(key -> world.any(world.ready())
                                .ifPresent(node -> world.shards.send(node, new Request.Unbind(key))));
        }
    }

    private void joins() {
        if (world.alive().size() < 6) {
            world.shards.join();
        }
    }

    private void victim(boolean may, java.util.function.Consumer<Node> fate) {
        if (may) {
            world.any(world.ready().stream().filter(node -> !node.isolated).toList())
                    .ifPresent(fate);
        }
    }

    private void rebalance() {
        world.any(world.ready()).ifPresent(node -> world.shards.move(world.random.nextInt(Shards.USED), node));
    }

    /** The nodes see it at times of their own; it comes back the same way. */
    private void workerDies() {
        if (world.deadWorkers.size() > 1) {
            return;
        }
        world.any(world.workers).filter(world.deadWorkers::add).ifPresent(worker -> {
            world.say(() -> "worker " + worker + " dies");
            world.alive()
                    .forEach(node -> world.after(world.random.nextLong(400), node, () -> node.ineligible.add(worker)));
            world.after(1_000 + world.random.nextLong(3_000), () -> {
                world.deadWorkers.remove(worker);
                world.nodes.forEach(
                        node -> world.after(world.random.nextLong(400), node, () -> node.ineligible.remove(worker)));
            });
        });
    }
}
