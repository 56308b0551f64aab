package io.kvrouter.permit;

import io.kvrouter.worker.WorkerId;
import java.util.Comparator;

/** One node's part of a worker's permits, as the office knows it. */
final class Part {
    /** Who was given a permit longest ago. */
    static final Comparator<Part> LEAST_RECENT =
            Comparator.<Part>comparingLong(part -> part.number).thenComparingLong(part -> part.node);

    private final long node;
    private int granted;
    private int wanted;
    private int keep;
    private int elsewhere;
    private long number;
    private boolean known;
    private boolean called;
    private boolean untold;

    Part(long node) {
        this.node = node;
    }

    long node() {
        return node;
    }

    /** Permits that the node may have in use, at most. */
    int granted() {
        return granted;
    }

    int wanted() {
        return wanted;
    }

    /** What it wants for certain: of a node that is to give something back it is not known before it has answered. */
    int wantedSurely() {
        return called ? 0 : wanted;
    }

    /** Whether the node may use any. */
    boolean known() {
        return known;
    }

    /** Whether it has nothing to do with the worker any more. */
    boolean over() {
        return !known && granted == 0 && wanted == 0;
    }

    boolean hungry() {
        return wanted > granted;
    }

    /**
     * The node has told what it has. What it gives back it has back only once it knows all that it was given. Whether
     * anything is different now.
     */
    boolean told(PermitReport.Row row) {
        int had = granted;
        boolean answers = called;
        called = false;
        boolean same = wanted == row.wanted() && known == row.known();
        wanted = row.wanted();
        known = row.known();
        if (row.seen() == number) {
            granted = row.held();
        }
        untold |= row.seen() != number || hungry();
        return !same || granted != had || answers || untold;
    }

    /** The office is new, and finds what another one gave. */
    void found(PermitReport.Row row) {
        granted = row.held();
        wanted = row.wanted();
        known = row.known();
        untold = true;
    }

    /** Nobody hears of the node any more: it may use what it has, and is given nothing. */
    void abandon() {
        wanted = 0;
        known = false;
        called = false;
    }

    /** @param grant its number: of all that the office gives the highest so far */
    void grant(int more, long grant) {
        granted += more;
        number = grant;
        untold = true;
    }

    void keeps(int permits) {
        untold |= permits != keep;
        called |= permits < keep && permits < granted;
        keep = permits;
    }

    void othersWant(int permits) {
        untold |= hungry() && permits != elsewhere;
        elsewhere = permits;
    }

    /** Whether there is news for the node, which counts as told from now on. */
    boolean takeNews() {
        boolean news = untold;
        untold = false;
        return news;
    }

    PermitGrants.Row row(WorkerId worker) {
        return new PermitGrants.Row(worker, number, granted, keep, elsewhere);
    }
}
