package io.kvrouter.cluster.load;

import io.kvrouter.admission.AdmissionView;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.Asker;
import io.kvrouter.booking.Explanation;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.Workload;
import io.kvrouter.kv.Prompt;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;

/** The desk in front of the {@link LoadActor}. Hashes prompts on the caller's thread, so that the actor need not. */
final class ActorLoadDesk implements LoadDesk {
    private static final String DISPATCHER = "kvrouter-load-dispatcher";
    private static final CompletionStage<Optional<Shed>> ENTERED = CompletableFuture.completedStage(Optional.empty());

    private final ActorRef<LoadActor.Command> actor;
    private final AtomicReference<PublishedLoad> published;
    private final InstantSource time;
    private final AtomicReference<AdmissionView> admission;
    private final CompletionStage<Done> admitting;
    private final boolean admits;
    private final AtomicLong lastId = new AtomicLong();
    private volatile int[] blockSizes = {};

    ActorLoadDesk(ActorRef<LoadActor.Command> actor, Shown shown, InstantSource time, boolean admits) {
        this.actor = actor;
        this.published = shown.load();
        this.admission = shown.admission();
        this.admitting = shown.admitting();
        this.time = time;
        this.admits = admits;
    }

    /** Where the actor shows what others read without asking it. */
    record Shown(
            AtomicReference<PublishedLoad> load,
            AtomicReference<AdmissionView> admission,
            CompletableFuture<Done> admitting) {
        Shown() {
            this(
                    new AtomicReference<>(PublishedLoad.NONE),
                    new AtomicReference<>(AdmissionView.NONE),
                    new CompletableFuture<>());
        }
    }

    /** The answer to a question for a booking; its caller may have completed or cancelled it before. */
    static final class PendingBooking extends CompletableFuture<SelectionAnswer> implements Asker {
        @Override
        public boolean hears(SelectionAnswer answer) {
            return complete(answer);
        }

        @Override
        public void fails(RuntimeException bug) {
            completeExceptionally(bug);
        }
    }

    static LoadDesk start(ActorSystem<?> system, LoadSettings settings, LoadDesk.Sources sources) {
        var shown = new Shown();
        if (!settings.booking().admission().capsWorkers()) {
            shown.admitting().complete(Done.getInstance());
        }
        var world = new LoadActor.World(sources.caches(), sources.footprint(), shown, sources.time(), sources.random());
        return new ActorLoadDesk(
                system.systemActorOf(
                        LoadActor.create(settings, world, PeerLink::ofNode),
                        "kvrouter-load",
                        DispatcherSelector.fromConfig(DISPATCHER)),
                shown,
                sources.time(),
                !settings.booking().admission().off());
    }

    @Override
    public CompletionStage<Optional<Shed>> enter(Ticket ticket) {
        if (!admits) {
            return ENTERED;
        }
        var entered = new CompletableFuture<Optional<Shed>>();
        actor.tell(new LoadActor.Enter(ticket, entered));
        return entered;
    }

    @Override
    public void leave(Ticket ticket) {
        if (admits) {
            actor.tell(new LoadActor.Leave(ticket));
        }
    }

    @Override
    public CompletionStage<SelectionAnswer> select(SelectionRequest request, Ticket ticket) {
        hash(request.prompt());
        var answer = new PendingBooking();
        actor.tell(new LoadActor.Select(request, nextId(), ticket, answer));
        return answer;
    }

    @Override
    public CompletionStage<SelectionAnswer> reserve(Pin pin, Workload workload, Ticket ticket) {
        hash(workload);
        var answer = new PendingBooking();
        actor.tell(new LoadActor.Reserve(pin, workload, nextId(), ticket, answer));
        return answer;
    }

    @Override
    public CompletionStage<Explanation> explain(SelectionRequest request) {
        hash(request.prompt());
        var answer = new CompletableFuture<Explanation>();
        actor.tell(new LoadActor.Explain(request, answer));
        return answer;
    }

    @Override
    public void estimate(ReservationId id, Workload.Estimated workload) {
        actor.tell(new LoadActor.Estimate(id, workload));
    }

    @Override
    public CompletionStage<OptionalLong> correct(ReservationId id, Prompt prompt, long contextTokens) {
        hash(prompt);
        var answer = new CompletableFuture<OptionalLong>();
        actor.tell(new LoadActor.Correct(id, prompt, contextTokens, answer));
        return answer;
    }

    @Override
    public void prefillComplete(ReservationId id) {
        actor.tell(new LoadActor.PrefillComplete(id));
    }

    @Override
    public void output(ReservationId id, long tokens) {
        actor.tell(new LoadActor.Output(id, tokens));
    }

    @Override
    public void end(ReservationId id) {
        actor.tell(new LoadActor.End(id));
    }

    @Override
    public void fleet(Fleet fleet) {
        blockSizes =
                fleet.workers().stream().mapToInt(Worker::blockSize).distinct().toArray();
        actor.tell(new LoadActor.NewFleet(fleet));
    }

    @Override
    public CompletionStage<Done> admitting() {
        return admitting;
    }

    @Override
    public AdmissionView admission() {
        return admission.get();
    }

    @Override
    public LoadView view() {
        return published.get().view(time.millis());
    }

    @Override
    public OptionalLong lowestClock() {
        OptionalLong peers = published.get().lowestPeerClock();
        return peers.isPresent() ? OptionalLong.of(Math.min(peers.getAsLong(), time.millis())) : peers;
    }

    private ReservationId nextId() {
        return new ReservationId(lastId.incrementAndGet());
    }

    private void hash(Workload workload) {
        if (workload instanceof Workload.Known(Prompt prompt)) {
            hash(prompt);
        }
    }

    /** The prompt remembers the hashes. */
    private void hash(Prompt prompt) {
        for (int blockSize : blockSizes) {
            prompt.chain(blockSize);
        }
    }
}
