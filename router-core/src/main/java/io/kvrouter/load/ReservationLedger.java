package io.kvrouter.load;

import com.carrotsearch.hppc.LongHashSet;
import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.DenseNumbers;
import io.kvrouter.kv.index.ActivePrompts;
import io.kvrouter.load.slice.WorkerLoad;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The reservations of the requests that one node serves, and their sums per worker.
 *
 * <p>A reservation is booked, its prefill completes, its output grows, then it ends; ended implies prefilled. The
 * messages that say so may come in any order and any number of times: the sums become the same. What comes before its
 * booking is kept for it; ended ids are remembered ({@link EndedIds}). Nothing expires: a request counts as long as it
 * lives.
 */
public final class ReservationLedger {
    /** How an id stands. */
    public enum Standing {
        /** Never booked, or forgotten. */
        UNKNOWN,
        /** In flight. */
        BOOKED,
        /** Over, so that a booking of it does not count any more. */
        ENDED
    }

    private final LongObjectHashMap<Reservation> reservations = new LongObjectHashMap<>();
    private final LongObjectHashMap<WorkerAccount> accounts = new LongObjectHashMap<>();
    private final ActivePrompts active = new ActivePrompts();
    private final PlaceLoads places = new PlaceLoads();
    private final DenseNumbers numbers = new DenseNumbers();
    private final LongHashSet changed = new LongHashSet();
    private final EndedIds ended = new EndedIds();
    private final EarlyNews early = new EarlyNews();
    private long bookings;

    /**
     * The request goes to the place.
     *
     * @return how the id stood before: the booking counts from now on if that was unknown, else nothing changes
     */
    public Standing book(ReservationId id, Place place, Booking booking, long now) {
        Standing before = standing(id);
        if (before == Standing.UNKNOWN) {
            Reservation reservation = early.apply(id, Reservation.of(place, booking));
            reservations.put(id.value(), reservation);
            account(place.key()).add(reservation);
            changed.add(place.key());
            bookings++;
        }
        return before;
    }

    public Standing standing(ReservationId id) {
        if (reservations.containsKey(id.value())) {
            return Standing.BOOKED;
        }
        return ended.contains(id) ? Standing.ENDED : Standing.UNKNOWN;
    }

    /** The request's prompt is computed. */
    public void prefillComplete(ReservationId id, long now) {
        Reservation before = reservations.get(id.value());
        if (before != null) {
            replace(id, before, before.afterPrefill());
        } else if (!ended.contains(id)) {
            early.prefilled(id, now);
        }
    }

    /** The request's answer has so many tokens by now. An older figure that comes late changes nothing. */
    public void output(ReservationId id, long tokens, long now) {
        Reservation before = reservations.get(id.value());
        if (before != null) {
            replace(id, before, before.withOutput(tokens));
        } else if (!ended.contains(id)) {
            early.output(id, tokens, now);
        }
    }

    private void replace(ReservationId id, Reservation before, Reservation after) {
        if (!after.equals(before)) {
            account(before.place().key()).replace(before, after);
            reservations.put(id.value(), after);
            changed.add(before.place().key());
        }
    }

    /** What an estimated booking really is: replaces it. */
    public void correct(ReservationId id, Booking booking, long now) {
        Reservation before = reservations.get(id.value());
        if (before == null) {
            if (!ended.contains(id)) {
                early.corrected(id, booking, now);
            }
            return;
        }
        Reservation after = before.corrected(booking);
        WorkerAccount account = account(before.place().key());
        account.add(after); // first, so that shared blocks stay
        account.remove(before);
        reservations.put(id.value(), after);
        changed.add(account.worker());
    }

    /** The request is over, however it ended. */
    public void end(ReservationId id, long now) {
        ended.add(id, now);
        early.forget(id);
        Reservation reservation = reservations.remove(id.value());
        if (reservation != null) {
            WorkerAccount account = account(reservation.place().key());
            account.remove(reservation);
            changed.add(account.worker());
            dropIfDispensable(account);
        }
    }

    /** The reservation of a request in flight. */
    public Optional<Reservation> reservation(ReservationId id) {
        return Optional.ofNullable(reservations.get(id.value()));
    }

    /** The account of a worker key, to read. Stays the same object while the worker is a place of the fleet. */
    public WorkerAccount account(long worker) {
        WorkerAccount account = accounts.get(worker);
        if (account == null) {
            account = new WorkerAccount(worker, numbers.take(), active, places);
            accounts.put(worker, account);
        }
        return account;
    }

    /** The load of a worker key by this node's requests. */
    public WorkerLoad load(long worker) {
        WorkerAccount account = accounts.get(worker);
        return account == null ? WorkerLoad.NONE : account.load();
    }

    /** A worker key is a place of the fleet from now on, with this index. */
    void seat(long worker, int index) {
        account(worker).sit(index);
    }

    /** It is none any more. Its account lives until its last request has ended. */
    void unseat(long worker) {
        WorkerAccount account = account(worker);
        if (account.load().footprintTokens() > 0) {
            changed.add(worker);
        }
        account.stand();
        dropIfDispensable(account);
    }

    private void dropIfDispensable(WorkerAccount account) {
        if (account.dispensable()) {
            accounts.remove(account.worker());
            numbers.giveBack(account.number());
        }
    }

    /** The sessions decided on this node have so many tokens on a worker that is a place of the fleet. */
    void footprint(long worker, long tokens) {
        if (account(worker).footprint(tokens)) {
            changed.add(worker);
        }
    }

    /** The load at the places of the fleet: these reservations, and what is added of others'. */
    PlaceLoads places() {
        return places;
    }

    /** The prompts of the requests in flight, sampled (see {@link io.kvrouter.kv.Chain#marks}), by worker. */
    public ActivePrompts active() {
        return active;
    }

    /** Forgets what can have no late message any more. */
    public void sweep(long now) {
        ended.sweep(now);
        early.sweep(now);
    }

    /** Requests in flight. */
    public int size() {
        return reservations.size();
    }

    /** Bookings that ever counted. */
    public long bookings() {
        return bookings;
    }

    boolean hasChanges() {
        return !changed.isEmpty();
    }

    /** The worker keys whose load changed since the last call. */
    long[] takeChanges() {
        long[] keys = changed.toArray();
        changed.clear();
        return keys;
    }

    void forEachAccount(Consumer<WorkerAccount> action) {
        for (var account : accounts) {
            action.accept(account.value);
        }
    }

    int remembered() {
        return ended.size() + early.size();
    }
}
