package io.kvrouter.booking;

import io.kvrouter.admission.Admission;
import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.admission.AdmissionView;
import io.kvrouter.admission.Claim;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The way to a node's {@link BookingDesk}: who finds no room there waits for it here. A worker's permit is a booking, so
 * that it can't be lost or given twice, and whatever ends a booking lets the next one in. Lives inside one actor.
 */
public final class AdmittedDesk {
    private final AdmissionSettings settings;
    private final BookingDesk desk;
    private final Admission admission;
    private final LongSupplier time;
    private Fleet fleet = Fleet.EMPTY;

    /** @param time the node's clock, in ms */
    public AdmittedDesk(BookingSettings settings, BookingDesk desk, LongSupplier time) {
        this.settings = settings.admission();
        this.desk = desk;
        this.admission = new Admission(settings.admission());
        this.time = time;
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
        admission.claim(ticket, new AtDesk(may, id, () -> desk.select(request, id, now()), asker), now());
    }

    /** Books a pinned turn on its worker, as soon as that has room for it. What runs there already is booked at once. */
    public void reserve(Pin pin, Workload workload, ReservationId id, Ticket ticket, Asker asker) {
        var claim = new AtDesk(pin.worker()::equals, id, () -> desk.reserve(pin, workload, id, now()), asker);
        if (pin.mode() == SessionMode.OFF) {
            claim.proceed();
        } else {
            admission.claim(ticket, claim, now());
        }
    }

    /** The booking is over. */
    public void end(ReservationId id) {
        var booked = desk.reservation(id);
        desk.end(id, now());
        booked.ifPresent(reservation -> admission.freed(reservation.place().worker(), now()));
    }

    /** The request is over, or its client has gone, booked or not. */
    public void leave(Ticket ticket) {
        admission.leave(ticket, now());
    }

    /** From now on these workers. */
    public void fleet(Fleet workers) {
        fleet = workers;
        desk.fleet(workers);
        long available = workers.workers().stream().filter(Worker::available).count();
        boolean known = settings.capsWorkers() && available > 0; // where nobody is there, the turn says so
        long room = known ? available * settings.workerRequests() : AdmissionSettings.UNBOUNDED;
        admission.room((int) Math.min(room, AdmissionSettings.UNBOUNDED), now());
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

    private record AtDoor(Consumer<Optional<Shed>> entered) implements Claim {
        @Override
        public boolean atDoor() {
            return true;
        }

        @Override
        public boolean wants(WorkerId worker) {
            return true;
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

    private final class AtDesk implements Claim {
        private final Predicate<WorkerId> may;
        private final ReservationId id;
        private final Supplier<SelectionAnswer> booking;
        private final Asker asker;

        AtDesk(Predicate<WorkerId> may, ReservationId id, Supplier<SelectionAnswer> booking, Asker asker) {
            this.may = may;
            this.id = id;
            this.booking = booking;
            this.asker = asker;
        }

        @Override
        public boolean atDoor() {
            return false;
        }

        @Override
        public boolean wants(WorkerId worker) {
            return may.test(worker);
        }

        /** Who no longer waits for the answer gets no booking. */
        @Override
        public boolean proceed() {
            SelectionAnswer answer;
            try {
                answer = booking.get();
            } catch (RuntimeException bug) {
                asker.fails(bug); // whoever waits must not wait for ever
                return true;
            }
            if (answer instanceof SelectionAnswer.Refused(Refusal why) && why == Refusal.AT_CAP) {
                return false;
            }
            if (!asker.hears(answer)) {
                desk.end(id, now());
            }
            return true;
        }

        @Override
        public void shed(Shed why) {
            asker.hears(new SelectionAnswer.SentAway(why));
        }
    }
}
