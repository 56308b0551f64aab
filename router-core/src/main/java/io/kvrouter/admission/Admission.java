package io.kvrouter.admission;

import io.kvrouter.admission.Ticket.State;
import io.kvrouter.worker.WorkerId;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests of one node in, one after the other, and makes those wait that find no room. A request goes through twice:
 * at the door, before its body is read, and when it is known which workers it may go to. Inside it holds a permit of the
 * node; what it waits for a worker with full hands it gives back, so that it blocks nobody who may go elsewhere.
 *
 * <p>At the door stands who would find no worker free: no more are inside than all workers may have together. A worker's
 * own permits are its bookings, which claims take by themselves. After each call nobody waits who could go on. A queue
 * that is full takes one more of a caller who has less in it than another, whose newest it sends away. Times are the
 * node's, in ms. Lives inside one actor.
 */
public final class Admission {
    /** Other nodes have answered by then, or can't be heard. */
    private static final long ASK_MS = 250;

    private final AdmissionSettings settings;
    private final Line line;
    private final Pace pace = new Pace();
    private AdmissionView.Counts counts = AdmissionView.NONE.counts();
    private int door;
    private int inside;
    private long arrived;

    public Admission(AdmissionSettings settings) {
        this.settings = settings;
        this.line = new Line(settings.waitMs() / 2);
        this.door = settings.requests();
    }

    /** The request wants this now: it goes on, waits, or is sent away. */
    public void claim(Ticket ticket, Claim claim, long now) {
        if (ticket.state() == State.LEFT) {
            claim.shed(new Shed(Shed.Why.LEFT, 1));
        } else if (settings.off()) {
            claim.proceed();
        } else if (ticket.state() == State.INSIDE) {
            claimInside(ticket, claim, now);
        } else {
            claimOutside(ticket, claim, now);
        }
    }

    private void claimOutside(Ticket ticket, Claim claim, long now) {
        if (ticket.number() == 0) {
            ticket.arrives(++arrived);
        }
        if (goes(claim)) {
            line.enters(ticket, now);
            in(ticket, now);
        } else {
            await(ticket, claim, now);
        }
    }

    private void claimInside(Ticket ticket, Claim claim, long now) {
        if (!claim.proceed()) {
            out(ticket, State.OUTSIDE, now);
            await(ticket, claim, now);
            serveFreedPermit(now);
        }
    }

    private boolean goes(Claim claim) {
        return inside < (claim.atDoor() ? door : settings.requests()) && claim.proceed();
    }

    private void await(Ticket ticket, Claim claim, long now) {
        if (!ticket.patient()) {
            claim.shed(new Shed(Shed.Why.QUEUE_FULL, 1));
        } else if (line.size() < settings.queue()) {
            ticket.waitsFor(claim, now, settings.waitMs());
            line.add(ticket);
        } else if (line.size() < settings.queue() + claim.elsewhere()) {
            ticket.asksFor(claim, now, settings.waitMs(), ASK_MS);
            line.add(ticket);
        } else if (makesRoom(ticket, now)) {
            ticket.waitsFor(claim, now, settings.waitMs());
            line.add(ticket);
        } else {
            shed(claim, Shed.Why.QUEUE_FULL);
        }
    }

    /** Whoever crowds the queue gives way to who has less in it. */
    private boolean makesRoom(Ticket coming, long now) {
        Ticket newest = line.givesWayTo(coming.caller());
        if (newest != null) {
            drop(newest, Shed.Why.QUEUE_FULL, State.OUTSIDE, now);
        }
        return newest != null;
    }

    private void in(Ticket ticket, long now) {
        inside++;
        ticket.becomes(State.INSIDE, now);
    }

    private void out(Ticket ticket, State next, long now) {
        inside--;
        line.leaves(ticket, now);
        ticket.becomes(next, now);
    }

    private void shed(Claim claim, Shed.Why why) {
        counts = counts.and(why);
        claim.shed(new Shed(why, pace.secondsUntilRoom(line.size(), inside)));
    }

    /** The request is over, or its client has gone: it holds and wants nothing any more, whatever is still said of it. */
    public void leave(Ticket ticket, long now) {
        switch (ticket.state()) {
            case INSIDE -> {
                pace.held(now - ticket.since());
                out(ticket, State.LEFT, now);
                serveFreedPermit(now);
            }
            case WAITING -> drop(ticket, Shed.Why.LEFT, State.LEFT, now);
            case OUTSIDE, LEFT -> ticket.becomes(State.LEFT, now);
        }
    }

    private void drop(Ticket ticket, Shed.Why why, State next, long now) {
        line.remove(ticket);
        line.seat(settings.queue());
        Claim claim = ticket.claim();
        ticket.becomes(next, now);
        shed(claim, why);
    }

    /** A request on this worker is over. Who wants that worker and finds it full, finds it full for all behind too. */
    public void freed(WorkerId worker, long now) {
        if (line.forWorker() == 0) {
            return;
        }
        Predicate<Claim> wants = claim -> !claim.atDoor() && claim.wants(worker);
        Ticket next = line.next(wants, now);
        while (next != null && goes(next.claim())) {
            granted(next, now);
            next = line.next(wants, now);
        }
    }

    /** The workers are others now: so many requests may they have together. */
    public void room(int requests, long now) {
        door = Math.min(settings.requests(), requests);
        serve(claim -> true, now);
    }

    /** Where the node's permits are unbounded, only those at the door wait for one. */
    private void serveFreedPermit(long now) {
        boolean bounded = settings.requests() != AdmissionSettings.UNBOUNDED;
        serve(claim -> bounded || claim.atDoor(), now);
    }

    private void serve(Predicate<Claim> may, long now) {
        Ticket next;
        while (someMayGo() && (next = nextToGo(may, now)) != null) {
            granted(next, now);
        }
    }

    /** Else nobody need be asked. */
    private boolean someMayGo() {
        return inside < settings.requests() && (line.forWorker() > 0 || inside < door);
    }

    private @Nullable Ticket nextToGo(Predicate<Claim> may, long now) {
        return line.next(claim -> may.test(claim) && goes(claim), now);
    }

    private void granted(Ticket ticket, long now) {
        counts = counts.afterWait(now - ticket.since());
        line.grant(ticket, now);
        line.seat(settings.queue());
        in(ticket, now);
    }

    /** It is known anew what other nodes have: sends away who has no place in the queue, and gets nothing from them. */
    public void heardElsewhere(long now) {
        line.askingInVain().forEach(ticket -> drop(ticket, Shed.Why.QUEUE_FULL, State.OUTSIDE, now));
    }

    /** Sends away who has waited long enough. */
    public void expire(long now) {
        Ticket late = line.overdue(now);
        while (late != null) {
            drop(late, late.asking() ? Shed.Why.QUEUE_FULL : Shed.Why.DEADLINE, State.OUTSIDE, now);
            late = line.overdue(now);
        }
    }

    /** How many wait for what. */
    public Map<Aim, Integer> sought() {
        return line.sought();
    }

    public AdmissionView view(long now) {
        return new AdmissionView(
                inside, door, line.atDoor(), line.forWorker(), now - line.longest(now), pace.perSecond(inside), counts);
    }
}
