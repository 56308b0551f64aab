package io.kvrouter.http.reservation;

import io.kvrouter.cluster.reservation.ReservationCall;
import io.kvrouter.cluster.reservation.Standing;
import io.kvrouter.http.reservation.RememberedNames.What;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The reservations that this node holds for callers, by name, each until its caller ends it or its lease is over. Every
 * order and repetition of what callers say comes to the same load: an end or a completed prefill that comes before its
 * reservation is kept for it, and an ended one never comes back. Safe for use by several threads.
 */
final class HeldReservations {
    private final Duration lease;
    private final InstantSource clock;
    /** In the order of their last sign of life: leases are equally long, so the first is the first to end. */
    private final Map<String, HeldReservation> held = new LinkedHashMap<>();

    private final RememberedNames remembered = new RememberedNames();
    private long expired;

    /** What became of a name that was to be held. */
    enum Begun {
        /** It is held from now on. */
        NEW,
        /** It is held already. */
        TWICE,
        /** Its end was heard already: it stays ended. */
        ENDED
    }

    HeldReservations(Duration lease, InstantSource clock) {
        this.lease = lease;
        this.clock = clock;
    }

    Duration lease() {
        return lease;
    }

    /**
     * The load is held under this name, if that is new.
     *
     * @param expectedTokens of its answer; 0 if the caller does not say
     */
    synchronized Begun begin(ReservationName name, HeldLoad load, long expectedTokens) {
        String key = name.toString();
        if (held.containsKey(key)) {
            return Begun.TWICE;
        }
        long now = clock.millis();
        Optional<What> before = remembered.of(key, now);
        if (before.isPresent() && before.get() != What.PREFILLED) {
            return Begun.ENDED;
        }
        var reservation = new HeldReservation(load, expectedTokens, now);
        if (before.isPresent()) {
            reservation.prefillComplete();
        }
        held.put(key, reservation);
        return Begun.NEW;
    }

    /** The turn has its place: what was said of it meanwhile counts there. */
    synchronized void placed(ReservationName name, HeldLoad load, int blockSize) {
        var reservation = held.get(name.toString());
        if (reservation != null && reservation.isOf(load)) {
            reservation.placed(blockSize);
        }
    }

    /** The turn found no place, or its caller went before it heard of one: the name is as new. */
    synchronized void forget(ReservationName name, HeldLoad load) {
        var reservation = held.get(name.toString());
        if (reservation != null && reservation.isOf(load)) {
            held.remove(name.toString());
            reservation.abandon();
        }
    }

    /** How a reservation stands after what its caller said of it. */
    synchronized Standing call(ReservationCall call) {
        var reservation = held.get(call.name());
        if (reservation == null) {
            return missing(call);
        }
        switch (call) {
            case ReservationCall.Look look -> {
                return reservation.standing();
            }
            case ReservationCall.PrefillComplete prefill -> reservation.prefillComplete();
            case ReservationCall.OutputBlock output -> reservation.output(output.total());
            case ReservationCall.End end -> {
                held.remove(end.name());
                remembered.remember(end.name(), What.ENDED, clock.millis());
                reservation.end(end.served(), end.contextTokens());
                return Standing.ENDED;
            }
        }
        reservation.seen(clock.millis());
        held.remove(call.name());
        held.put(call.name(), reservation); // behind all others
        return reservation.standing();
    }

    private Standing missing(ReservationCall call) {
        Optional<What> before = remembered.of(call.name(), clock.millis());
        if (before.filter(What.ENDED::equals).isPresent()) {
            return Standing.ENDED;
        }
        switch (call) {
            case ReservationCall.Look look -> {
                return before.filter(What.ENDED_UNSEEN::equals).isPresent() ? Standing.ENDED : Standing.UNKNOWN;
            }
            case ReservationCall.End end -> remembered.remember(call.name(), What.ENDED_UNSEEN, clock.millis());
            case ReservationCall.PrefillComplete prefill -> {
                if (before.isEmpty()) {
                    remembered.remember(call.name(), What.PREFILLED, clock.millis());
                }
            }
            case ReservationCall.OutputBlock output -> {}
        }
        return Standing.UNKNOWN;
    }

    /** Ends what had no sign of life for the time of a lease, as if its client had gone. */
    synchronized void expire() {
        long now = clock.millis();
        var oldest = held.entrySet().iterator();
        while (oldest.hasNext()) {
            var entry = oldest.next();
            if (entry.getValue().seenMs() + lease.toMillis() > now) {
                return;
            }
            oldest.remove();
            expired++;
            remembered.remember(entry.getKey(), What.ENDED, now);
            entry.getValue().abandon();
        }
    }

    /** Reservations that are held now. */
    synchronized int size() {
        return held.size();
    }

    /** Reservations whose lease has ended so far. */
    synchronized long expired() {
        return expired;
    }
}
