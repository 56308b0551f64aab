package io.kvrouter.cluster.worker;

import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ddata.Key;
import org.apache.pekko.cluster.ddata.LWWMap;
import org.apache.pekko.cluster.ddata.LWWMapKey;
import org.apache.pekko.cluster.ddata.SelfUniqueAddress;
import org.apache.pekko.cluster.ddata.typed.javadsl.DistributedData;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.ddata.typed.javadsl.ReplicatorMessageAdapter;

/**
 * Holds this node's replica of the register and writes its changes. Registrations change a few times an hour, so the
 * library's last-writer-wins map serves; every write goes to all nodes at once.
 */
final class WorkerRegisterActor extends AbstractMatchingBehavior<WorkerRegisterActor.Command> {
    static final Key<LWWMap<String, RegisterEntry>> KEY = LWWMapKey.create("kvrouter-workers");
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    sealed interface Command {}

    /** Workers of this node's static list. */
    record AddStatic(List<Registration> workers) implements Command {}

    /** Registers or replaces a worker. */
    record Register(Registration registration, ActorRef<Registration> replyTo) implements Command {}

    /** Changes the worker of an id, if it is registered. */
    record Change(WorkerId id, UnaryOperator<Registration> change, ActorRef<Optional<Registration>> replyTo)
            implements Command {}

    /** Removes the worker of an id, if it is registered. */
    record Remove(WorkerId id, ActorRef<Optional<Registration>> replyTo) implements Command {}

    private record Replicated(LWWMap<String, RegisterEntry> value) implements Command {}

    private record Written(Runnable then) implements Command {}

    private record Read(LWWMap<String, RegisterEntry> value, Runnable then) implements Command {}

    private record Ignored() implements Command {}

    private final ReplicatorMessageAdapter<Command, LWWMap<String, RegisterEntry>> replicator;
    private final SelfUniqueAddress self;
    private final Consumer<Collection<Registration>> listener;
    private LWWMap<String, RegisterEntry> register = LWWMap.create();

    private WorkerRegisterActor(
            ActorContext<Command> context,
            ReplicatorMessageAdapter<Command, LWWMap<String, RegisterEntry>> replicator,
            Consumer<Collection<Registration>> listener) {
        super(context);
        this.replicator = replicator;
        this.self = DistributedData.get(context.getSystem()).selfUniqueAddress();
        this.listener = listener;
        replicator.subscribe(KEY, WorkerRegisterActor::replicated);
    }

    /** Creates the actor; {@code listener} gets the registered workers after each change, one call at a time. */
    static Behavior<Command> create(Consumer<Collection<Registration>> listener) {
        return Behaviors.setup(context -> DistributedData.withReplicatorMessageAdapter(
                (ReplicatorMessageAdapter<Command, LWWMap<String, RegisterEntry>> replicator) ->
                        new WorkerRegisterActor(context, replicator, listener)));
    }

    private static Command replicated(Replicator.SubscribeResponse<LWWMap<String, RegisterEntry>> response) {
        return response instanceof Replicator.Changed<LWWMap<String, RegisterEntry>> changed
                ? new Replicated(changed.get(KEY))
                : new Ignored();
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case AddStatic add -> readFirst(add);
            case Written written -> read(Replicator.readLocal(), written.then());
            case Read read -> onRead(read);
            case Register add -> onRegister(add);
            case Change change -> onChange(change);
            case Remove remove -> onRemove(remove);
            case Replicated replicated -> adopt(replicated.value());
            case Ignored ignored -> {}
        }
        return this;
    }

    /** A node that just joined does not know yet what was removed: it asks all others before it adds. */
    private void readFirst(AddStatic add) {
        read(new Replicator.ReadAll(TIMEOUT), () -> addStatic(add));
    }

    private void addStatic(AddStatic add) {
        long digest =
                add.workers().stream().map(Registration::url).sorted().toList().hashCode();
        for (Registration worker : add.workers()) {
            boolean known = entry(worker.id()).map(e -> e.keepsOut(digest)).orElse(false);
            if (!known) {
                write(new RegisterEntry(worker, false, digest), () -> {});
            }
        }
    }

    private void onRegister(Register add) {
        write(RegisterEntry.ofApi(add.registration()), () -> add.replyTo().tell(add.registration()));
    }

    private void onChange(Change change) {
        var changed = live(change.id()).map(entry -> entry.with(change.change().apply(entry.registration())));
        writeAndReply(changed, change.replyTo());
    }

    private void onRemove(Remove remove) {
        writeAndReply(live(remove.id()).map(RegisterEntry::asRemoved), remove.replyTo());
    }

    private void writeAndReply(Optional<RegisterEntry> entry, ActorRef<Optional<Registration>> replyTo) {
        Runnable reply = () -> replyTo.tell(entry.map(RegisterEntry::registration));
        entry.ifPresentOrElse(changed -> write(changed, reply), reply);
    }

    /** The replicator alone changes the value: two copies changed apart under one node's name would lose entries. */
    private void write(RegisterEntry entry, Runnable then) {
        String key = entry.registration().id().value();
        replicator.askUpdate(
                replyTo -> new Replicator.Update<>(
                        KEY,
                        LWWMap.create(),
                        new Replicator.WriteAll(TIMEOUT),
                        replyTo,
                        current -> current.put(self, key, entry)),
                response -> new Written(then));
    }

    /** Reads the value, then goes on; whoever is told that a change is done finds it done. */
    private void read(Replicator.ReadConsistency from, Runnable then) {
        replicator.askGet(
                replyTo -> new Replicator.Get<>(KEY, from, replyTo),
                response -> response instanceof Replicator.GetSuccess<LWWMap<String, RegisterEntry>> found
                        ? new Read(found.get(KEY), then)
                        : new Read(register, then));
    }

    private void onRead(Read read) {
        adopt(read.value());
        read.then().run();
    }

    private void adopt(LWWMap<String, RegisterEntry> current) {
        register = current;
        listener.accept(register.getEntries().values().stream()
                .filter(entry -> !entry.removed())
                .map(RegisterEntry::registration)
                .toList());
    }

    private Optional<RegisterEntry> entry(WorkerId id) {
        return Optional.ofNullable(register.getEntries().get(id.value()));
    }

    private Optional<RegisterEntry> live(WorkerId id) {
        return entry(id).filter(entry -> !entry.removed());
    }
}
