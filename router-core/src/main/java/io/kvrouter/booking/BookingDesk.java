package io.kvrouter.booking;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.kv.recent.RecentPrompts;
import io.kvrouter.load.Booking;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.load.Reservation;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.ReservationLedger;
import io.kvrouter.load.ResidentTokens;
import io.kvrouter.load.SliceWriter;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.overlap.FleetCaches;
import io.kvrouter.overlap.Overlap;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.Selection;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.Selector;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A node's desk for its requests: selecting a worker and booking its load are one step, and what was chosen counts at
 * once, as load and as overlap. Times are the node's, in ms. Lives inside one actor.
 */
public final class BookingDesk {
    private static final long SWEEP_MS = 1_000;

    private final BookingSettings settings;
    private final ReservationLedger ledger = new ReservationLedger();
    private final SliceWriter writer = new SliceWriter(ledger);
    private final FleetLoad fleet;
    private final RecentPrompts recent;
    private final FleetCaches caches;
    private final Selector selector;
    private long now;
    private long swept;

    public BookingDesk(BookingSettings settings, Supplier<CacheView> known, RandomGenerator random) {
        this.settings = settings;
        this.fleet = new FleetLoad(ledger);
        this.recent = new RecentPrompts(settings.disuseMs());
        this.caches = new FleetCaches(fleet, known, recent);
        this.selector = new Selector(settings.selection(), caches, random);
    }

    /** Selects a worker and books the request there. */
    public SelectionAnswer select(SelectionRequest request, ReservationId id, long time) {
        advance(time);
        return switch (selector.select(request)) {
            case Selection.Chosen chosen -> book(id, chosen, request.prompt());
            case Refusal why -> new SelectionAnswer.Refused(why);
        };
    }

    /** What a selection would see, and choose. Books nothing. */
    public Explanation explain(SelectionRequest request, long time) {
        advance(time);
        return new Explanation(selector.candidates(request), selector.select(request));
    }

    /**
     * Books a pinned turn on its worker, busy or not; in {@link SessionMode#HARD} only if it is not busy. A session's turn
     * is refused where another request is on trial, or so many are as the worker may have; {@link SessionMode#OFF} is for
     * what runs there already.
     */
    public SelectionAnswer reserve(Pin pin, Workload workload, ReservationId id, long time) {
        advance(time);
        Optional<Place> place = fleet.roster().eligible(pin.demand(), pin.worker(), pin.rank());
        if (place.isEmpty()) {
            return new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE);
        }
        int index = fleet.roster().indexOf(place.get().key());
        if (pin.mode() != SessionMode.OFF && onTrial(index)) {
            return new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE);
        }
        if (pin.mode() == SessionMode.HARD && selector.busy(index)) {
            return new SelectionAnswer.Refused(Refusal.BOUND_BUSY);
        }
        if (pin.mode() != SessionMode.OFF && fleet.atCap(index)) {
            return new SelectionAnswer.Refused(Refusal.AT_CAP);
        }
        return switch (workload) {
            case Workload.Known(Prompt prompt) -> book(id, chosen(place.get(), prompt), prompt);
            case Workload.Estimated estimated -> {
                ledger.book(id, place.get(), booking(place.get(), estimated), now);
                yield new SelectionAnswer.Selected(id, pin.worker(), pin.rank(), estimated.contextTokens());
            }
        };
    }

    /** Its one request finds out whether it is still broken: until then nobody follows. */
    private boolean onTrial(int index) {
        return fleet.roster().worker(index).health() == Worker.Health.TRIAL && fleet.full(index);
    }

    /** The estimate of a pinned turn was wrong. Of a booking whose prompt is known, nothing changes. */
    public void estimate(ReservationId id, Workload.Estimated estimated, long time) {
        advance(time);
        ledger.reservation(id)
                .filter(reservation -> !reservation.booking().isKnown())
                .ifPresent(reservation -> ledger.correct(id, booking(reservation.place(), estimated), now));
    }

    /**
     * More is known of a booked prompt. Its cached tokens are those of the overlap, or the session's last context if
     * that is more: it may have been computed by way of another node. Of an unknown id nothing changes: nobody knows an
     * id before its booking was answered.
     *
     * @param contextTokens tokens of the session's last turn; 0 if that is not known
     * @return prompt tokens that the engine will find cached, by what this node knows; empty where it can't tell any
     *     more, because they have been computed
     */
    public OptionalLong correct(ReservationId id, Prompt prompt, long contextTokens, long time) {
        advance(time);
        Optional<Reservation> held = ledger.reservation(id);
        if (held.isEmpty()) {
            return OptionalLong.empty();
        }
        Reservation reservation = held.get();
        Place place = reservation.place();
        Booking before = reservation.booking();
        Overlap overlap = before.isKnown() || !fleet.roster().has(place.key())
                ? Overlap.NONE // a prompt that was looked into is remembered since: its own blocks are no overlap
                : chosen(place, prompt).overlap();
        long found = overlap.tokens(place.blockSize(), prompt.tokens());
        long context = Math.max(contextTokens, before.cachedTokens());
        long cached = Math.min(Math.max(found, context), prompt.tokens());
        ledger.correct(id, Booking.known(prompt.tokens() - cached, cached, prompt.chain(place.blockSize())), now);
        remember(place, prompt);
        return reservation.prefilled() || before.isKnown() ? OptionalLong.empty() : OptionalLong.of(found);
    }

    /** The worker's first content byte came. */
    public void prefillComplete(ReservationId id, long time) {
        advance(time);
        ledger.prefillComplete(id, now);
    }

    /** The request's answer has so many tokens by now, at least. */
    public void output(ReservationId id, long tokens, long time) {
        advance(time);
        ledger.output(id, tokens, now);
    }

    /** How an id stands: what a caller that names its reservations itself asks before it books. */
    public ReservationLedger.Standing standing(ReservationId id) {
        return ledger.standing(id);
    }

    /** The request is over. Ending twice changes nothing. */
    public void end(ReservationId id, long time) {
        advance(time);
        ledger.end(id, now);
    }

    /** From now on these workers. One that is gone takes what was remembered of it along. */
    public void fleet(Fleet workers) {
        fleet.fleet(workers);
        recent.retain(fleet.roster()::has);
    }

    /** From now on this node may have no more requests on a worker, or may again. */
    public void atCap(WorkerId worker, boolean full) {
        fleet.atCap(worker, full);
    }

    /** From now on another member's slice is this. */
    public void peer(long node, LoadSlice slice) {
        fleet.peer(node, slice);
    }

    /** Members that do not pass are gone. */
    public void retainPeers(LongPredicate members) {
        fleet.retain(members);
    }

    /** What the sessions decided on this node keep on a worker's rank; nothing if the fleet does not have it. */
    public void footprint(Collection<ResidentTokens> resident) {
        writer.footprint(fleet.roster(), resident);
    }

    /** Forgets what is out of date. */
    public void sweep(long time) {
        advance(time);
        ledger.sweep(now);
    }

    /** The writer of this node's slice. */
    public SliceWriter writer() {
        return writer;
    }

    /** The reservation of a request in flight. */
    public Optional<Reservation> reservation(ReservationId id) {
        return ledger.reservation(id);
    }

    private SelectionAnswer book(ReservationId id, Selection.Chosen chosen, Prompt prompt) {
        Place place = chosen.place();
        ledger.book(id, place, chosen.booking(), now);
        remember(place, prompt);
        long overlap = chosen.overlap().tokens(place.blockSize(), prompt.tokens());
        return new SelectionAnswer.Selected(id, place.worker(), place.rank(), overlap);
    }

    private Selection.Chosen chosen(Place place, Prompt prompt) {
        return selector.on(fleet.roster().indexOf(place.key()), prompt);
    }

    private static Booking booking(Place place, Workload.Estimated estimated) {
        long tokens = estimated.contextTokens() + estimated.newTokens();
        return Booking.estimated(estimated.newTokens(), estimated.contextTokens(), tokens / place.blockSize());
    }

    private void remember(Place place, Prompt prompt) {
        if (caches.wantsChoice(place, prompt.exact())) {
            long capacity = place.capacity() > 0 ? place.capacity() : settings.defaultCapacity();
            recent.remember(place.key(), prompt.chain(place.blockSize()), capacity, now);
        }
    }

    /** Time never runs back here: the order of use is the order of time. */
    private void advance(long time) {
        now = Math.max(now, time);
        caches.refresh(now);
        if (now - swept >= SWEEP_MS) {
            swept = now;
            recent.sweep(now);
        }
    }
}
