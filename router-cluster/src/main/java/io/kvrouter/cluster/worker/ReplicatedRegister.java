package io.kvrouter.cluster.worker;

import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/** The register, replicated by Distributed Data: {@link WorkerRegisterActor} writes, readers see its last snapshot. */
public final class ReplicatedRegister implements WorkerRegister {
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    private final ActorSystem<?> system;
    private final AtomicReference<Collection<Registration>> snapshot;
    private final ActorRef<WorkerRegisterActor.Command> actor;

    private ReplicatedRegister(
            ActorSystem<?> system,
            AtomicReference<Collection<Registration>> snapshot,
            ActorRef<WorkerRegisterActor.Command> actor) {
        this.system = system;
        this.snapshot = snapshot;
        this.actor = actor;
    }

    /** Starts this node's part of the register; {@code listener} gets the registered workers after each change. */
    public static WorkerRegister start(ActorSystem<?> system, Consumer<Collection<Registration>> listener) {
        var snapshot = new AtomicReference<Collection<Registration>>(List.of());
        Consumer<Collection<Registration>> remember = snapshot::set;
        var actor = system.systemActorOf(
                WorkerRegisterActor.create(remember.andThen(listener)), "worker-register", Props.empty());
        return new ReplicatedRegister(system, snapshot, actor);
    }

    @Override
    public Collection<Registration> registered() {
        return snapshot.get();
    }

    @Override
    public void addStatic(List<Registration> workers) {
        actor.tell(new WorkerRegisterActor.AddStatic(workers));
    }

    @Override
    public CompletionStage<Registration> register(Registration registration) {
        return ask(replyTo -> new WorkerRegisterActor.Register(registration, replyTo));
    }

    @Override
    public CompletionStage<Optional<Registration>> change(WorkerId id, UnaryOperator<Registration> change) {
        return ask(replyTo -> new WorkerRegisterActor.Change(id, change, replyTo));
    }

    @Override
    public CompletionStage<Optional<Registration>> remove(WorkerId id) {
        return ask(replyTo -> new WorkerRegisterActor.Remove(id, replyTo));
    }

    private <A> CompletionStage<A> ask(Function<ActorRef<A>, WorkerRegisterActor.Command> message) {
        return AskPattern.ask(actor, message, ASK_TIMEOUT, system.scheduler());
    }
}
