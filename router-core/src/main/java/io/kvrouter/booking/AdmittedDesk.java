package io.kvrouter.booking;

import io.kvrouter.admission.Admission;
import io.kvrouter.admission.AdmissionView;
import io.kvrouter.admission.Aim;
import io.kvrouter.admission.Claim;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.load.ReservationId;
import io.kvrouter.permit.NodePermits;
import io.kvrouter.permit.PermitGrants;
import io.kvrouter.permit.PermitReport;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The way to a node's {@link BookingDesk}: who finds no room there waits for it here. A worker's permit is a booking, so
 * that it can't be lost or given twice, and whatever ends a booking lets the next one in. How many permits of a worker the
 * node has is shared out among the nodes. Lives inside one actor.
 */
public final class AdmittedDesk {
    private final BookingDesk desk;
    private final Admission admission;
    private final WorkerPermits permits;
    private final LongSupplier time;
    private Fleet fleet = Fleet.EMPTY;

    /**
     * The way to a desk.
     *
     * @param node that it is of, as the other ones know it
     * @param time the node's clock, in ms
     */
    public AdmittedDesk(BookingSettings settings, BookingDesk desk, long node, LongSupplier time) {
        this.desk = desk;
        this.admission = new Admission(settings.admission());
        this.permits = new WorkerPermits(settings.admission().workerRequests(), node, desk, admission);
        this.time = time;
    }

    /** The node runs: to be told many times a second, and before anything else. See {@link NodePermits#awake}. */
    public void awake() {
        if (permits.awake(now())) {
            openDoor();
            fleet.workers().forEach(worker -> admission.freed(worker.id(), now()));
        }
    }

    /** The node is no member of its cluster any more: where workers have a cap nothing begins. */
    public void cutOff() {
        permits.cutOff();
        openDoor();
    }

    /** The request wants its body read; it is told when that may be, or why not. */
    public void enter(Ticket ticket, Consumer<Optional<Shed>> entered) {
        admission.claim(ticket, new AtDoor(entered), now());
    }

    /** Selects a worker and books the request there, as soon as one has room for it. */
    public void select(SelectionRequest request, ReservationId id, Ticket ticket, Asker asker) {
        Predicate<WorkerId> may = worker -> !request.excluded().contains(worker)
                && request.override().map(worker::equals).orElse(true)
                && fleet.eligible(request.demand(), worker).isPresent();
        Aim aim = request.override().<Aim>map(Aim.Only::new).orElseGet(() -> new Aim.Serving(request.demand()));
        var booked = new Booked(id, () -> desk.select(request, id, now()), asker);
        admission.claim(ticket, new AtDesk(aim, may, booked), now());
    }

    /** Books a pinned turn on its worker, as soon as that has room for it. What runs there already is booked at once. */
    public void reserve(Pin pin, Workload workload, ReservationId id, Ticket ticket, Asker asker) {
        var claim = new AtDesk(
                new Aim.Only(pin.worker()),
                pin.worker()::equals,
                new Booked(id, () -> desk.reserve(pin, workload, id, now()), asker));
        if (pin.mode() == SessionMode.OFF) {
            claim.proceed();
        } else {
            admission.claim(ticket, claim, now());
        }
    }

    /** The booking is over. */
    public void end(ReservationId id) {
        Optional<WorkerId> booked = bookedOn(id);
        desk.end(id, now());
        booked.ifPresent(this::freed);
    }

    private void freed(WorkerId worker) {
        if (permits.freed(worker)) {
            openDoor();
        }
        admission.freed(worker, now());
    }

    private Optional<WorkerId> bookedOn(ReservationId id) {
        return desk.reservation(id).map(reservation -> reservation.place().worker());
    }

    /** The office of the workers' permits has told something. */
    public void told(PermitGrants grants) {
        var more = permits.told(grants, now());
        openDoor();
        more.forEach(worker -> admission.freed(worker, now()));
        admission.heardElsewhere(now());
    }

    /** Whether the office has to hear something at once. */
    public boolean hasNews() {
        return permits.hasNews();
    }

    /** What the office has to hear now, if anything. */
    public Optional<PermitReport> report() {
        return permits.report(now());
    }

    /** The request is over, or its client has gone, booked or not. */
    public void leave(Ticket ticket) {
        admission.leave(ticket, now());
    }

    /** From now on these workers. */
    public void fleet(Fleet workers) {
        fleet = workers;
        desk.fleet(workers);
        permits.fleet(workers);
        openDoor();
    }

    private void openDoor() {
        admission.room(permits.room(), now());
    }

    /** Sends away who has waited long enough. */
    public void expire() {
        admission.expire(now());
    }

    public AdmissionView view() {
        return admission.view(now());
    }

    private long now() {
        return time.getAsLong();
    }

    private final class AtDoor implements Claim {
        private final Consumer<Optional<Shed>> entered;

        AtDoor(Consumer<Optional<Shed>> entered) {
            this.entered = entered;
        }

        @Override
        public Aim aim() {
            return Aim.Door.ANY;
        }

        @Override
        public boolean wants(WorkerId worker) {
            return true;
        }

        @Override
        public int elsewhere() {
            return permits.elsewhere(aim(), now());
        }

        @Override
        public boolean proceed() {
            entered.accept(Optional.empty());
            return true;
        }

        @Override
        public void shed(Shed why) {
            entered.accept(Optional.of(why));
        }
    }

    private record Booked(ReservationId id, Supplier<SelectionAnswer> booking, Asker asker) {}

    private final class AtDesk implements Claim {
        private final Aim aim;
        private final Predicate<WorkerId> may;
        private final Booked booked;

        AtDesk(Aim aim, Predicate<WorkerId> may, Booked booked) {
            this.aim = aim;
            this.may = may;
            this.booked = booked;
        }

        @Override
        public Aim aim() {
            return aim;
        }

        @Override
        public boolean wants(WorkerId worker) {
            return may.test(worker);
        }

        @Override
        public int elsewhere() {
            return permits.elsewhere(aim, now());
        }

        /** Who no longer waits for the answer gets no booking. */
        @Override
        public boolean proceed() {
            boolean known = desk.reservation(booked.id()).isPresent();
            SelectionAnswer answer;
            try {
                answer = booked.booking().get();
            } catch (RuntimeException bug) {
                booked.asker().fails(bug); // whoever waits must not wait for ever
                return true;
            }
            if (answer instanceof SelectionAnswer.Refused(Refusal why) && why == Refusal.AT_CAP) {
                return false;
            }
            if (!known) {
                bookedOn(booked.id()).ifPresent(permits::taken);
            }
            if (!booked.asker().hears(answer)) {
                Optional<WorkerId> unheard = bookedOn(booked.id());
                desk.end(booked.id(), now());
                unheard.ifPresent(permits::freed);
            }
            return true;
        }

        @Override
        public void shed(Shed why) {
            booked.asker().hears(new SelectionAnswer.SentAway(why));
        }
    }
}
