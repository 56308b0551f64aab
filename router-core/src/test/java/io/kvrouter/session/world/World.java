package io.kvrouter.session.world;

import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A cluster in a box: what happens is a queue of events in true time, and chance comes from one seed, so that a failure
 * is repeated by its seed.
 */
final class World {
    private record Event(long atMs, long number, Runnable what) {}

    final WorldSettings settings;
    final RandomGenerator random;
    final Laws laws = new Laws(this);
    final Shards shards = new Shards(this);
    final Gossip gossip = new Gossip(this);
    final List<Node> nodes = new ArrayList<>();
    final List<TurnRun> turns = new ArrayList<>();
    final Set<WorkerId> deadWorkers = new HashSet<>();
    final List<WorkerId> workers = List.of(worker("a"), worker("b"), worker("c"), worker("d"));
    private final PriorityQueue<Event> queue =
            new PriorityQueue<>(Comparator.comparingLong(Event::atMs).thenComparingLong(Event::number));
    private final List<String> trace = new ArrayList<>();
    private final boolean traced;
    private long now = 1_000_000_000;
    private long numbers;

    World(long seed, WorldSettings settings, boolean traced) {
        this.settings = settings;
        this.traced = traced;
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    static WorkerId worker(String name) {
        return new WorkerId(name);
    }

    /** Nodes that start together, none of which has anything to read. */
    World start(int count) {
        for (int i = 0; i < count; i++) {
            boolean stepped = settings.stepMs() > 0 && i == count - 1;
            add(stepped ? settings.stepMs() : offset()).ready = true;
        }
        nodes.forEach(node -> nodes.forEach(other -> node.learn(other)));
        shards.spread();
        return this;
    }

    Node add(long offset) {
        var node = new Node(this, nodes.size() + 1, offset);
        nodes.add(node);
        gossip.start(node);
        return node;
    }

    long offset() {
        return settings.offsetMs() == 0 ? 0 : random.nextLong(-settings.offsetMs(), settings.offsetMs() + 1);
    }

    long now() {
        return now;
    }

    long nextNumber() {
        return ++numbers;
    }

    /** Something that happens outside of the nodes. */
    void after(long ms, Runnable what) {
        queue.add(new Event(now + ms, nextNumber(), what));
    }

    /** Something that a node does; later if the node is paused then, not at all if it is dead. */
    void after(long ms, Node node, Runnable what) {
        after(ms, () -> {
            if (node.alive && node.pausedUntil > now) {
                after(node.pausedUntil - now, node, what);
            } else if (node.alive) {
                what.run();
            }
        });
    }

    void runFor(long ms) {
        long end = now + ms;
        while (!queue.isEmpty() && queue.element().atMs() <= end) {
            var event = queue.remove();
            now = event.atMs();
            event.what().run();
        }
        now = end;
    }

    boolean chance(int percent) {
        return percent > 0 && random.nextInt(100) < percent;
    }

    <T> Optional<T> any(List<T> of) {
        return of.isEmpty() ? Optional.empty() : Optional.of(of.get(random.nextInt(of.size())));
    }

    List<Node> alive() {
        return nodes.stream().filter(node -> node.alive).toList();
    }

    List<Node> ready() {
        return nodes.stream()
                .filter(node -> node.alive && node.ready && !node.leaving)
                .toList();
    }

    /** How long a message takes: short as a rule. */
    long delay() {
        return chance(5) ? random.nextLong(WorldSettings.LONGEST_DELAY_MS) : 1 + random.nextLong(20);
    }

    TurnRun turn(Node node, SessionKey key, long ttl) {
        var turn = new TurnRun(node, key, ttl);
        turns.add(turn);
        node.turns.add(turn);
        return turn;
    }

    void say(Supplier<String> line) {
        if (traced) {
            trace.add(now % 1_000_000 + " " + line.get());
        }
    }

    List<String> trace() {
        return trace;
    }
}
