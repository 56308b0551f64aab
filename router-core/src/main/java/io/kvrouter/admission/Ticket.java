package io.kvrouter.admission;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request as admission knows it, from where it comes in to its end. Whoever holds it makes it, says its priority
 * before it waits, and hands it on; all the rest belongs to the {@link Admission}.
 */
public final class Ticket {
    /** Of a request that says nothing of it. */
    public static final int NO_PRIORITY = 0;

    /** How far a request has come. */
    enum State {
        /** It has not gone in, or went out again: it holds nothing. */
        OUTSIDE,
        /** It stands in the line, and holds nothing. */
        WAITING,
        /** It holds a permit of the node. */
        INSIDE,
        /** It is over, whatever may still be said of it. */
        LEFT
    }

    private final CallerShare caller;
    private int priority;
    private final boolean patient;
    private State state = State.OUTSIDE;
    private long number;
    private long deadline;
    private long askedUntil;
    private long since;
    private boolean asking;
    private @Nullable Claim claim;

    /** Of a request with this priority, whose caller has no name: as in vLLM, the lower goes first. */
    public Ticket(int priority) {
        this(CallerShare.NAMELESS, priority);
    }

    /** Of a request of this caller. */
    public Ticket(CallerShare caller, int priority) {
        this(caller, priority, true);
    }

    private Ticket(CallerShare caller, int priority, boolean patient) {
        this.caller = caller;
        this.priority = priority;
        this.patient = patient;
    }

    /** Of a request that is only worth a place which is free: it never waits. */
    public static Ticket impatient(CallerShare caller) {
        return new Ticket(caller, NO_PRIORITY, false);
    }

    /** Whose it is. */
    public CallerShare caller() {
        return caller;
    }

    boolean patient() {
        return patient;
    }

    /** More is known of the request. */
    public void prioritise(int value) {
        priority = value;
    }

    public int priority() {
        return priority;
    }

    State state() {
        return state;
    }

    /** What it waits for, if it waits. */
    Claim claim() {
        return Objects.requireNonNull(claim, "waiting for nothing");
    }

    /** Its place by arrival; 0 until it is known. */
    long number() {
        return number;
    }

    /** Until when it waits for what it waits for now. */
    long until() {
        return asking ? Math.min(deadline, askedUntil) : deadline;
    }

    /** When it came to the state that it is in. */
    long since() {
        return since;
    }

    void arrives(long at) {
        number = at;
    }

    /** Whether it has no place in the queue, and waits only until it is known what other nodes have for it. */
    boolean asking() {
        return asking;
    }

    void becomes(State next, long now) {
        state = next;
        since = now;
        asking = false;
        claim = null;
    }

    /** Only the first wait sets the deadline: a second one is no new patience. */
    void waitsFor(Claim wanted, long now, long atMost) {
        becomes(State.WAITING, now);
        claim = wanted;
        deadline = deadline == 0 ? now + atMost : deadline;
    }

    /**
     * The same, without a place in the queue, for as long as it takes to hear what other nodes have.
     *
     * @param askMs how long that is, at most
     */
    void asksFor(Claim wanted, long now, long atMost, long askMs) {
        waitsFor(wanted, now, atMost);
        asking = true;
        askedUntil = now + askMs;
    }

    /** It has a place in the queue now. */
    void seated() {
        asking = false;
    }
}
