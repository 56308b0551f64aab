package io.kvrouter.session.world;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.session.replica.ReplicaTable;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** One router node: its clock, its replica, what the replication has, and what waits to be written. */
final class Node {
    final World world;
    final int id;
    final long offset;
    final Map<Integer, BindingTable> replicated = new TreeMap<>();
    final Map<Integer, ReplicaTable> replica = new TreeMap<>();
    final Map<Integer, BindingTable> pending = new TreeMap<>();
    final Map<Integer, Integer> writesUnderWay = new HashMap<>();
    final Map<Node, Long> clocks = new HashMap<>();
    final Set<Integer> members = new TreeSet<>();
    final Set<Integer> hosted = new TreeSet<>();
    final Set<Integer> silent = new HashSet<>();
    final Map<Integer, Long> heard = new HashMap<>();
    final Map<SessionKey, WorkerId> provisional = new HashMap<>();
    final Set<WorkerId> ineligible = new HashSet<>();
    final Host host = new Host(this);
    final List<TurnRun> turns = new ArrayList<>();
    boolean alive = true;
    boolean ready;
    boolean leaving;
    boolean isolated;
    long pausedUntil;

    Node(World world, int id, long offset) {
        this.world = world;
        this.id = id;
        this.offset = offset;
    }

    long now() {
        return world.now() + offset;
    }

    void learn(Node other) {
        members.add(other.id);
    }

    BindingTable replicated(int table) {
        return replicated.getOrDefault(table, BindingTable.EMPTY);
    }

    ReplicaTable replica(int table) {
        return replica.getOrDefault(table, ReplicaTable.EMPTY);
    }

    java.util.Optional<BindingRow> row(SessionKey key) {
        return replica(key.table()).row(key);
    }

    Sight look(SessionKey key) {
        return new Sight(now(), row(key).orElse(null), id, world.settings.skewMs());
    }

    /** Remembers a row: here at once, on all nodes soon. */
    void publish(BindingRow row) {
        world.laws.published(this, row);
        int table = row.key().table();
        boolean refresh =
                row(row.key()).filter(known -> known.version() >= row.version()).isPresent();
        replica.put(table, replica(table).with(row));
        pending.merge(table, BindingTable.of(row), BindingTable::merge);
        long wait = refresh ? WorldSettings.REFRESH_MS : WorldSettings.FLUSH_MS;
        world.after(wait, this, () -> write(table));
    }

    /** Writes what waits of a table to all nodes that this one knows. */
    void write(int table) {
        var rows = pending.remove(table);
        if (rows == null) {
            return;
        }
        var merged = replicated(table).merge(rows);
        long floor = merged.floorFor(world.settings.bound());
        var change = rows.merge(BindingTable.of(floor, List.of()));
        take(table, change);
        world.gossip.write(this, table, change);
    }

    /** Merges what came into the replication's table; the replica hears of it a little later. */
    void take(int table, BindingTable change) {
        var before = replicated(table);
        var after = before.merge(change);
        replicated.put(table, after);
        world.laws.merged(this, before, after);
        world.after(world.random.nextLong(50), this, () -> notice(table));
    }

    void notice(int table) {
        replica.put(table, replica(table).merge(replicated(table)));
    }

    boolean hears(Node other) {
        return alive && other.alive && !isolated && !other.isolated;
    }

    @Override
    public String toString() {
        return "n" + id;
    }
}
