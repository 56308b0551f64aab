package io.kvrouter.booking;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.RecentKeys;
import io.kvrouter.kv.RecentPrompts;
import io.kvrouter.load.Booking;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.LoadSlice;
import io.kvrouter.load.Place;
import io.kvrouter.load.Reservation;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.ReservationLedger;
import io.kvrouter.load.Roster;
import io.kvrouter.load.SliceWriter;
import io.kvrouter.selection.Candidate;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.Selection;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.Selector;
import io.kvrouter.worker.Fleet;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A node's desk for its requests: selecting a worker and booking its load are one step, and what was chosen counts at
 * once, as load and as overlap. Times are the node's, in ms. Lives inside one actor.
 */
public final class BookingDesk {
    private final BookingSettings settings;
    private final ReservationLedger ledger = new ReservationLedger();
    private final SliceWriter writer = new SliceWriter(ledger);
    private final FleetLoad fleet = new FleetLoad(ledger);
    private final RecentPrompts recent;
    private final Selector selector;
    private RecentKeys[] recentAt = {};
    private long now;

    public BookingDesk(BookingSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.recent = new RecentPrompts(settings.disuseMs());
        this.selector = new Selector(settings.selection(), fleet, this::overlap, random);
    }

    /** Selects a worker and books the request there. */
    public SelectionAnswer select(SelectionRequest request, ReservationId id, long time) {
        advance(time);
        return switch (selector.select(request)) {
            case Selection.Chosen chosen -> book(id, chosen.place(), chosen.booking(), Optional.of(request.prompt()));
            case Refusal why -> new SelectionAnswer.Refused(why);
        };
    }

    /** Every eligible place and what it would cost. Books nothing. */
    public List<Candidate> candidates(SelectionRequest request, long time) {
        advance(time);
        return selector.candidates(request);
    }

    /** Books a pinned turn on its worker, busy or not. */
    public SelectionAnswer reserve(Pin pin, Workload workload, ReservationId id, long time) {
        advance(time);
        Optional<Place> place = fleet.roster().eligible(pin.demand(), pin.worker(), pin.rank());
        return place.isEmpty()
                ? new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE)
                : book(id, place.get(), booking(place.get(), workload), prompt(workload));
    }

    /**
     * More is known of a booked prompt. Its cached tokens are those of the overlap, or the session's last context if
     * that is more: it may have been computed by way of another node. Of an unknown id nothing changes: nobody knows an
     * id before its booking was answered.
     *
     * @param contextTokens tokens of the session's last turn; 0 if that is not known
     */
    public void correct(ReservationId id, Prompt prompt, long contextTokens, long time) {
        advance(time);
        ledger.reservation(id).ifPresent(reservation -> {
            Place place = reservation.place();
            long[] chain = prompt.chain(place.blockSize());
            // A prompt that was looked into is remembered since: its own blocks are no overlap.
            long overlap = reservation.booking().isKnown() ? 0 : overlapTokens(place, chain);
            long context = Math.max(contextTokens, reservation.booking().cachedTokens());
            long cached = Math.min(Math.max(overlap, context), prompt.tokens());
            ledger.correct(id, Booking.known(prompt.tokens() - cached, cached, chain), now);
            remember(place, chain);
        });
    }

    /** The worker's first content byte came. */
    public void prefillComplete(ReservationId id, long time) {
        advance(time);
        ledger.prefillComplete(id, now);
    }

    /** The request is over. Ending twice changes nothing. */
    public void end(ReservationId id, long time) {
        advance(time);
        ledger.end(id, now);
    }

    /** From now on these workers. One that is gone takes what was remembered of it along. */
    public void fleet(Fleet workers) {
        Roster roster = new Roster(workers);
        recent.retain(roster::has);
        recentAt = new RecentKeys[roster.size()];
        Arrays.setAll(recentAt, index -> recent.of(roster.place(index).key()));
        fleet.fleet(roster);
    }

    /** From now on these slices of the other members. */
    public void peers(Collection<LoadSlice> slices) {
        fleet.peers(slices);
    }

    /** Forgets what is out of date. */
    public void sweep(long time) {
        advance(time);
        ledger.sweep(now);
        recent.sweep(now);
    }

    /** The writer of this node's slice. */
    public SliceWriter writer() {
        return writer;
    }

    /** The reservation of a request in flight. */
    public Optional<Reservation> reservation(ReservationId id) {
        return ledger.reservation(id);
    }

    private SelectionAnswer book(ReservationId id, Place place, Booking booking, Optional<Prompt> prompt) {
        ledger.book(id, place, booking, now);
        prompt.ifPresent(known -> remember(place, known.chain(place.blockSize())));
        return new SelectionAnswer.Selected(id, place.worker(), place.rank(), booking.cachedTokens());
    }

    private Booking booking(Place place, Workload workload) {
        return switch (workload) {
            case Workload.Known(Prompt prompt) ->
                selector.on(fleet.roster().indexOf(place.key()), prompt).booking();
            case Workload.Estimated(long context, long fresh) ->
                Booking.estimated(fresh, context, (context + fresh) / place.blockSize());
        };
    }

    private static Optional<Prompt> prompt(Workload workload) {
        return switch (workload) {
            case Workload.Known(Prompt prompt) -> Optional.of(prompt);
            case Workload.Estimated estimated -> Optional.empty();
        };
    }

    private void remember(Place place, long[] chain) {
        if (fleet.roster().has(place.key())) {
            long capacity = place.capacity() > 0 ? place.capacity() : settings.defaultCapacity();
            recent.remember(place.key(), chain, capacity, now);
        }
    }

    private long overlapTokens(Place place, long[] chain) {
        int index = fleet.roster().indexOf(place.key());
        return index < 0 ? 0 : (long) overlap(index, chain) * place.blockSize();
    }

    private int overlap(int index, long[] chain) {
        return recent.overlap(recentAt[index], chain, now);
    }

    /** Time never runs back here: the order of use is the order of time. */
    private void advance(long time) {
        now = Math.max(now, time);
    }
}
