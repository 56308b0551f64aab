package io.kvrouter.load;

import com.carrotsearch.hppc.LongHashSet;
import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.DenseNumbers;
import io.kvrouter.kv.RecentKeys;
import io.kvrouter.kv.index.ActivePrompts;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * The reservations of the requests that one node serves, and their sums per worker.
 *
 * <p>A reservation is booked, then its prefill completes, then it ends; ended implies prefilled. The messages that say
 * so may come in any order and any number of times: the sums become the same. What comes before its booking is kept for
 * it; ended ids are remembered for an hour (at most 250,000, 15 MB), so that no late booking brings one back. Nothing
 * expires: a request counts as long as it lives.
 */
public final class ReservationLedger {
    private static final long MEMORY_MS = 3_600_000;
    private static final int MEMORY_IDS = 250_000;

    private final LongObjectHashMap<Reservation> reservations = new LongObjectHashMap<>();
    private final LongObjectHashMap<WorkerAccount> accounts = new LongObjectHashMap<>();
    private final ActivePrompts active = new ActivePrompts();
    private final DenseNumbers numbers = new DenseNumbers();
    private final LongHashSet changed = new LongHashSet();
    private final RecentKeys ended = new RecentKeys();
    private final EarlyNews early = new EarlyNews();
    private long bookings;

    /**
     * The request goes to the place.
     *
     * @return whether it counts from now on; not if the id was booked before or has ended
     */
    public boolean book(ReservationId id, Place place, Booking booking, long now) {
        if (ended.contains(id.value()) || reservations.containsKey(id.value())) {
            return false;
        }
        Reservation reservation = early.apply(id, new Reservation(place, booking, false));
        reservations.put(id.value(), reservation);
        account(place.key()).add(reservation);
        changed.add(place.key());
        bookings++;
        return true;
    }

    /** The request's prompt is computed. */
    public void prefillComplete(ReservationId id, long now) {
        Reservation before = reservations.get(id.value());
        if (before == null) {
            if (!ended.contains(id.value())) {
                early.prefilled(id, now);
            }
        } else if (!before.prefilled()) {
            account(before.place().key()).prefilled(before.prefillTokens());
            reservations.put(id.value(), before.afterPrefill());
            changed.add(before.place().key());
        }
    }

    /** What an estimated booking really is: replaces it. */
    public void correct(ReservationId id, Booking booking, long now) {
        Reservation before = reservations.get(id.value());
        if (before == null) {
            if (!ended.contains(id.value())) {
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
        ended.touch(id.value(), now);
        ended.forgetBefore(now - MEMORY_MS);
        ended.forgetBeyond(MEMORY_IDS);
        early.forget(id);
        Reservation reservation = reservations.remove(id.value());
        if (reservation != null) {
            WorkerAccount account = account(reservation.place().key());
            account.remove(reservation);
            changed.add(account.worker());
            if (account.dispensable()) {
                drop(account);
            }
        }
    }

    /** The reservation of a request in flight. */
    public Optional<Reservation> reservation(ReservationId id) {
        return Optional.ofNullable(reservations.get(id.value()));
    }

    /** The account of a worker key, to read. Stays the same object while the worker is listed. */
    public WorkerAccount account(long worker) {
        WorkerAccount account = accounts.get(worker);
        if (account == null) {
            account = new WorkerAccount(worker, numbers.take(), active);
            accounts.put(worker, account);
        }
        return account;
    }

    /** The load of a worker key by this node's requests. */
    public WorkerLoad load(long worker) {
        WorkerAccount account = accounts.get(worker);
        return account == null ? WorkerLoad.NONE : account.load();
    }

    /** The workers that exist from now on. An account of another lives until its last request has ended. */
    public void list(LongPredicate present) {
        for (WorkerAccount account : accounts.values().toArray(WorkerAccount.class)) {
            account.list(present.test(account.worker()));
            if (account.dispensable()) {
                drop(account);
            }
        }
    }

    private void drop(WorkerAccount account) {
        accounts.remove(account.worker());
        numbers.giveBack(account.number());
    }

    /** The prompts of the requests in flight, sampled (see {@link io.kvrouter.kv.Chain#marks}), by worker. */
    public ActivePrompts active() {
        return active;
    }

    /** Forgets what can have no late message any more. */
    public void sweep(long now) {
        ended.forgetBefore(now - MEMORY_MS);
        early.forgetBefore(now - MEMORY_MS);
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
