package io.kvrouter.permit;

import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Shares the permits of every worker out among the nodes. One for a cluster; when it is lost another one begins with what
 * the nodes hold, and gives nothing before all of them have said it. The cap is the least that a node knows: while it is
 * changed node by node, the lower one holds for all that have one. A message may be lost, or come late: what a node
 * holds is never more than what the office takes it to hold.
 */
public final class PermitOffice {
    private static final int MARK_BITS = 20;
    private static final long MARK = (1L << MARK_BITS) - 1;

    private final Map<Long, Integer> caps = new HashMap<>();
    private final Map<WorkerId, Division> divisions = new HashMap<>();
    private final Set<WorkerId> touched = new HashSet<>();
    private final Set<Long> members = new HashSet<>();
    private final Set<Long> downed = new HashSet<>();
    private final Set<Long> awaited = new HashSet<>();
    private final Set<Long> heard = new HashSet<>();
    private long id;
    private long grants;

    /**
     * Begins.
     *
     * @param time of day in ms: the later of two offices has the higher id, also where clocks say otherwise
     * @param mark any number, by which offices of the same time are told apart
     * @param members that may hold some of another office
     * @param downed nodes that may too, and live on: nobody can ask them
     */
    public PermitOffice(long time, long mark, Set<Long> members, Set<Long> downed) {
        this.id = (time << MARK_BITS) | (mark & MARK);
        this.members.addAll(members);
        this.downed.addAll(downed);
        awaitAll();
    }

    private void awaitAll() {
        awaited.addAll(members);
        awaited.addAll(downed);
    }

    /** A node comes that holds nothing. */
    public void joins(long node) {
        members.add(node);
    }

    /**
     * A node is no member any more, but may live on and use what it holds: nobody else is given that before it
     * {@linkplain #leaves leaves}. What it says does not count any more.
     */
    public void downs(long node) {
        if (members.remove(node)) {
            downed.add(node);
            divisions.values().forEach(division -> division.part(node).abandon());
            decideAll();
        }
    }

    /** A node is gone: what it held is free. */
    public void leaves(long node) {
        members.remove(node);
        downed.remove(node);
        awaited.remove(node);
        heard.remove(node);
        caps.remove(node);
        divisions.values().forEach(division -> division.remove(node));
        decideAll();
    }

    /** A node has told what it has, and wants. Only members are listened to. */
    public void told(PermitReport report) {
        long node = report.node();
        if (!members.contains(node)) {
            return;
        }
        if (report.office() > id) {
            beginAfter(report.office());
        }
        if (report.office() != id || (!report.whole() && !heard.contains(node))) {
            return;
        }
        int before = cap();
        caps.put(node, report.cap());
        boolean first = heard.add(node);
        boolean last = awaited.remove(node) && awaited.isEmpty();
        for (PermitReport.Row row : report.rows()) {
            if (differs(node, row, first)) {
                decide(row.worker());
            }
        }
        if (last || cap() != before) {
            decideAll();
        }
    }

    private int cap() {
        return caps.values().stream().mapToInt(Integer::intValue).min().orElse(PermitReport.NO_CAP);
    }

    private boolean differs(long node, PermitReport.Row row, boolean first) {
        Part part =
                divisions.computeIfAbsent(row.worker(), any -> new Division()).part(node);
        if (first) {
            part.found(row);
        }
        return first || part.told(row);
    }

    /** An office after this one was here already, by the clock of another node: all begin anew. */
    private void beginAfter(long other) {
        id = (((other >> MARK_BITS) + 1) << MARK_BITS) | (id & MARK);
        awaitAll();
        heard.clear();
        divisions.clear();
        touched.clear();
    }

    private void decideAll() {
        List.copyOf(divisions.keySet()).forEach(this::decide);
    }

    private void decide(WorkerId worker) {
        Division division = divisions.get(worker);
        if (division == null || !awaited.isEmpty()) {
            return;
        }
        if (division.isOver()) {
            divisions.remove(worker);
        } else {
            division.decide(cap(), () -> ++grants);
            touched.add(worker);
        }
    }

    /** Nodes that have not said what they hold: nothing is given before they have, or leave. */
    public Set<Long> awaited() {
        return Set.copyOf(awaited);
    }

    /** Whether a node has to say all that it has before it gets anything. */
    public boolean asks(long node) {
        return members.contains(node) && !heard.contains(node);
    }

    /** Asks a node for it. */
    public PermitGrants question() {
        return new PermitGrants(id, List.of());
    }

    /** What is new since the last call, by node. */
    public Map<Long, PermitGrants> news() {
        Map<Long, List<PermitGrants.Row>> rows = new TreeMap<>();
        for (WorkerId worker : touched) {
            Division division = divisions.get(worker);
            if (division != null) {
                division.parts().stream()
                        .filter(part -> members.contains(part.node()))
                        .filter(Part::takeNews)
                        .forEach(part -> rows.computeIfAbsent(part.node(), any -> new ArrayList<>())
                                .add(part.row(worker)));
            }
        }
        touched.clear();
        Map<Long, PermitGrants> news = new TreeMap<>();
        rows.forEach((node, of) -> news.put(node, new PermitGrants(id, of)));
        return news;
    }
}
