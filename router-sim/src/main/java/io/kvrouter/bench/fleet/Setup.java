package io.kvrouter.bench.fleet;

import java.util.Locale;
import java.util.Map;

/** What the same sessions meet. The load is the same in all setups: where one node is, it has the turns of all. */
public enum Setup {
    /** The nodes as asked for. */
    CLUSTER(""),
    /** One node, whose view is perfect. */
    ONE("one node"),
    /**
     * As many nodes that do not know one another: each sees the load that it booked itself, and the sessions that it
     * bound. What nodes tell each other is what is missing here.
     */
    SEPARATE("separate"),
    /** The cluster, where a worker is selected in turn, whatever it has to do or holds. */
    ROUND_ROBIN("round robin");

    private final String title;

    Setup(String title) {
        this.title = title;
    }

    String title(int nodes) {
        return this == CLUSTER ? nodes + (nodes == 1 ? " node" : " nodes") : title;
    }

    /** As JSON has it. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How many nodes there are of so many. */
    int nodes(int asked) {
        return this == ONE ? 1 : asked;
    }

    boolean joined() {
        return this != SEPARATE;
    }

    /** What its nodes have set besides. */
    Map<String, String> settings() {
        return this == ROUND_ROBIN ? Map.of("kvrouter.policy", "round-robin") : Map.of();
    }
}
