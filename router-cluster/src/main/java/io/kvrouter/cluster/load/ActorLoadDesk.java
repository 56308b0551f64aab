package io.kvrouter.cluster.load;

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
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;

/** The desk in front of the {@link LoadActor}. Hashes prompts on the caller's thread, so that the actor need not. */
final class ActorLoadDesk implements LoadDesk {
    private static final String DISPATCHER = "kvrouter-load-dispatcher";

    private final ActorRef<LoadActor.Command> actor;
    private final AtomicReference<PublishedLoad> published;
    private final InstantSource time;
    private final AtomicLong lastId = new AtomicLong();
    private volatile int[] blockSizes = {};

    ActorLoadDesk(ActorRef<LoadActor.Command> actor, AtomicReference<PublishedLoad> published, InstantSource time) {
        this.actor = actor;
        this.published = published;
        this.time = time;
    }

    static LoadDesk start(ActorSystem<?> system, LoadSettings settings, LoadDesk.Sources sources) {
        var published = new AtomicReference<>(PublishedLoad.NONE);
        var world = new LoadActor.World(
                sources.caches(), sources.footprint(), published::set, sources.time(), sources.random());
        return new ActorLoadDesk(
                system.systemActorOf(
                        LoadActor.create(settings, world), "kvrouter-load", DispatcherSelector.fromConfig(DISPATCHER)),
                published,
                sources.time());
    }

    @Override
    public CompletionStage<SelectionAnswer> select(SelectionRequest request) {
        hash(request.prompt());
        var answer = new CompletableFuture<SelectionAnswer>();
        actor.tell(new LoadActor.Select(request, nextId(), answer));
        return answer;
    }

    @Override
    public CompletionStage<SelectionAnswer> reserve(Pin pin, Workload workload) {
        hash(workload);
        var answer = new CompletableFuture<SelectionAnswer>();
        actor.tell(new LoadActor.Reserve(pin, workload, nextId(), answer));
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
