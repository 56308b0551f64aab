package io.kvrouter.http.turn;

import io.kvrouter.admission.AdmissionView;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.Explanation;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.SessionMode;
import io.kvrouter.booking.Workload;
import io.kvrouter.cluster.load.LoadCounters;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.load.LoadView;
import io.kvrouter.kv.Prompt;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.Done;

/** A desk that selects the first eligible worker, and writes down what was booked and how often each booking ended. */
final class FakeDesk implements LoadDesk {
    /** What it predicts when it is asked. */
    static final long PREDICTED = 48;

    private final Supplier<Fleet> fleet;
    private final List<String> corrections = new ArrayList<>();
    private final Map<ReservationId, WorkerId> booked = new HashMap<>();
    private final List<ReservationId> ended = new ArrayList<>();
    private final Set<Ticket> left = new HashSet<>();
    private final List<Long> outputs = new ArrayList<>();
    private final List<ReservationId> prefilled = new ArrayList<>();
    private Optional<CompletableFuture<Void>> gate = Optional.empty();
    private Runnable whenBooked = () -> {};
    private Runnable whenPrefilled = () -> {};
    private boolean allBusy;
    private long selections;
    private int mostHeld;
    private Optional<Shed> full = Optional.empty();

    FakeDesk(Supplier<Fleet> fleet) {
        this.fleet = fleet;
    }

    /** From now on every worker is over its threshold: nobody selects it, and sessions in mode hard wait for it. */
    void allBusy() {
        allBusy = true;
    }

    /** What happens between a booking and its answer. */
    void whenBooked(Runnable action) {
        whenBooked = action;
    }

    /** What happens when a prefill is told to be complete. */
    void whenPrefilled(Runnable action) {
        whenPrefilled = action;
    }

    /** Answers wait until the returned future is completed. */
    CompletableFuture<Void> slow() {
        var opened = new CompletableFuture<Void>();
        gate = Optional.of(opened);
        return opened;
    }

    /** Where bookings stand now. */
    synchronized List<WorkerId> held() {
        return booked.entrySet().stream()
                .filter(booking -> !ended.contains(booking.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The most bookings at a time. */
    synchronized int mostHeld() {
        return mostHeld;
    }

    /** No booking is left, and none was ended twice. */
    synchronized boolean isClean() {
        return ended.size() == booked.size() && ended.stream().distinct().count() == ended.size();
    }

    synchronized int bookings() {
        return booked.size();
    }

    synchronized int prefills() {
        return prefilled.size();
    }

    /** How often a worker was selected by cost. */
    synchronized long selections() {
        return selections;
    }

    @Override
    public CompletionStage<SelectionAnswer> select(SelectionRequest request, Ticket ticket) {
        return answer(() -> {
            selections++;
            if (full.isPresent()) {
                return new SelectionAnswer.SentAway(full.get());
            }
            Optional<WorkerId> free = fleet.get().eligible(request.demand()).stream()
                    .map(Worker::id)
                    .filter(id -> !request.excluded().contains(id))
                    .filter(id -> request.override().map(id::equals).orElse(true))
                    .findFirst();
            if (free.isPresent() && allBusy && request.override().isEmpty()) {
                return new SelectionAnswer.Refused(Refusal.ALL_BUSY);
            }
            var none = request.override().isPresent() ? Refusal.NAMED_NOT_ELIGIBLE : Refusal.NONE_ELIGIBLE;
            return free.map(worker -> book(worker, 0)).orElse(new SelectionAnswer.Refused(none));
        });
    }

    @Override
    public CompletionStage<SelectionAnswer> reserve(Pin pin, Workload workload, Ticket ticket) {
        return answer(() -> {
            if (fleet.get().eligible(pin.demand(), pin.worker()).isEmpty()) {
                return new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE);
            }
            return allBusy && pin.mode() == SessionMode.HARD
                    ? new SelectionAnswer.Refused(Refusal.BOUND_BUSY)
                    : reserve(pin.worker(), pin.rank(), workload);
        });
    }

    private SelectionAnswer reserve(WorkerId worker, int rank, Workload workload) {
        if (workload instanceof Workload.Estimated(long context, long fresh)) {
            corrections.add("reserve " + context + "+" + fresh);
        }
        return book(worker, rank);
    }

    private CompletionStage<SelectionAnswer> answer(Supplier<SelectionAnswer> answer) {
        return gate.map(open -> open.thenApply(opened -> locked(answer)))
                .orElseGet(() -> CompletableFuture.completedFuture(locked(answer)));
    }

    private synchronized SelectionAnswer locked(Supplier<SelectionAnswer> answer) {
        return answer.get();
    }

    private SelectionAnswer book(WorkerId worker, int rank) {
        var id = new ReservationId(booked.size() + 1L);
        booked.put(id, worker);
        mostHeld = Math.max(mostHeld, held().size());
        whenBooked.run();
        return new SelectionAnswer.Selected(id, worker, rank, 0);
    }

    @Override
    public synchronized void prefillComplete(ReservationId id) {
        prefilled.add(id);
        whenPrefilled.run();
    }

    @Override
    public synchronized void output(ReservationId id, long tokens) {
        outputs.add(tokens);
    }

    /** The tokens of output that were told. */
    synchronized List<Long> outputs() {
        return List.copyOf(outputs);
    }

    @Override
    public synchronized void end(ReservationId id) {
        ended.add(id);
    }

    @Override
    public CompletionStage<Explanation> explain(SelectionRequest request) {
        return CompletableFuture.completedFuture(new Explanation(List.of(), Refusal.NONE_ELIGIBLE));
    }

    @Override
    public synchronized void estimate(ReservationId id, Workload.Estimated workload) {
        corrections.add("estimate " + workload.contextTokens() + "+" + workload.newTokens());
    }

    @Override
    public synchronized CompletionStage<OptionalLong> correct(ReservationId id, Prompt prompt, long contextTokens) {
        corrections.add("correct " + prompt.tokens() + ", context " + contextTokens);
        return CompletableFuture.completedFuture(OptionalLong.of(PREDICTED));
    }

    /** What bookings were corrected to. */
    synchronized List<String> corrections() {
        return List.copyOf(corrections);
    }

    /** From now on there is no room for anybody. */
    void full(Shed why) {
        full = Optional.of(why);
    }

    @Override
    public CompletionStage<Optional<Shed>> enter(Ticket ticket) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public synchronized void leave(Ticket ticket) {
        left.add(ticket);
    }

    /** Requests that said that they are over. */
    synchronized int left() {
        return left.size();
    }

    @Override
    public CompletionStage<Done> admitting() {
        return CompletableFuture.completedStage(Done.getInstance());
    }

    @Override
    public AdmissionView admission() {
        return AdmissionView.NONE;
    }

    @Override
    public void fleet(Fleet changed) {
        // it looks at the fleet when it is asked
    }

    @Override
    public LoadView view() {
        return new LoadView(Map.of(), bookings(), List.of(), Map.of(), 0, LoadCounters.NONE);
    }

    @Override
    public OptionalLong lowestClock() {
        return OptionalLong.empty();
    }
}
