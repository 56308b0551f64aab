package io.kvrouter.cluster.worker;

import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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
import scala.jdk.javaapi.OptionConverters;

/**
 * Holds this node's replica of the register and writes its changes. Registrations change a few times an hour, so the
 * library's last-writer-wins map serves; every write goes to all nodes at once.
 */
final class WorkerRegisterActor extends AbstractMatchingBehavior<WorkerRegisterActor.Command> {
    static final Key<LWWMap<String, RegisterEntry>> KEY = LWWMapKey.create("kvrouter-workers");
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    /** A write of so many entries has some 100 KB; a message may have 2 MiB, and several writes can share one. */
    private static final int MOST_TOGETHER = 256;

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

    /** What becomes of an entry; where it is empty afterwards, nothing. */
    private record Edit(WorkerId id, UnaryOperator<Optional<RegisterEntry>> change) {}

    private final ReplicatorMessageAdapter<Command, LWWMap<String, RegisterEntry>> replicator;
    private final SelfUniqueAddress self;
    private final Consumer<Collection<Registration>> listener;
    /** By worker, the static list of this node that named it: its mark must stay at the worker. */
    private final Map<WorkerId, Long> listed = new HashMap<>();

    private LWWMap<String, RegisterEntry> value = LWWMap.create();
    private Map<String, RegisterEntry> register = Map.of();

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
            case Replicated replicated -> {
                adopt(replicated.value());
                keepMarks();
            }
            case Ignored ignored -> {}
        }
        return this;
    }

    /** A node that just joined does not know yet what was removed: it asks all others before it adds. */
    private void readFirst(AddStatic add) {
        read(new Replicator.ReadAll(TIMEOUT), () -> addStatic(add));
    }

    private void addStatic(AddStatic add) {
        long list = add.workers().stream()
                .map(worker -> worker.url().toString())
                .sorted()
                .toList()
                .hashCode();
        List<Edit> added = add.workers().stream()
                .map(worker -> new Edit(worker.id(), known -> Optional.of(RegisterEntry.ofStatic(worker, list, known))))
                .toList();
        writeTogether(added, edit -> listed.put(edit.id(), list));
    }

    /** Of two nodes that change a worker at once the last one wins: the other's mark is put back. */
    private void keepMarks() {
        List<Edit> lost = new ArrayList<>();
        listed.forEach((id, list) -> {
            RegisterEntry entry = register.get(id.value());
            if (entry != null && !entry.lists().contains(list)) {
                lost.add(new Edit(id, known -> known.map(found -> found.marked(list))));
            }
        });
        writeTogether(lost, done -> {});
    }

    /** A write for each of a thousand workers costs every node a thousand times a thousand entries. */
    private void writeTogether(List<Edit> edits, Consumer<Edit> then) {
        for (int from = 0; from < edits.size(); from += MOST_TOGETHER) {
            var some = edits.subList(from, Math.min(from + MOST_TOGETHER, edits.size()));
            write(some, () -> some.forEach(then));
        }
    }

    private void onRegister(Register add) {
        Registration worker = add.registration();
        write(
                worker.id(),
                known -> Optional.of(RegisterEntry.ofApi(worker, known)),
                done -> add.replyTo().tell(worker));
    }

    private void onChange(Change change) {
        write(
                change.id(),
                known -> known.filter(RegisterEntry::live)
                        .map(entry -> entry.with(change.change().apply(entry.registration()))),
                change.replyTo()::tell);
    }

    private void onRemove(Remove remove) {
        write(
                remove.id(),
                known -> known.filter(RegisterEntry::live).map(RegisterEntry::asRemoved),
                remove.replyTo()::tell);
    }

    private void write(
            WorkerId id, UnaryOperator<Optional<RegisterEntry>> change, Consumer<Optional<Registration>> then) {
        var written = new AtomicReference<Optional<RegisterEntry>>(Optional.empty());
        var edit = new Edit(id, known -> {
            written.set(change.apply(known));
            return written.get();
        });
        write(List.of(edit), () -> then.accept(written.get().map(RegisterEntry::registration)));
    }

    /**
     * Changes entries, or leaves those where the change gives nothing. The replicator alone changes the value, and the
     * changes see it as it is at that moment: two changes of a worker at once both stand.
     */
    private void write(List<Edit> edits, Runnable then) {
        replicator.askUpdate(
                replyTo -> new Replicator.Update<>(
                        KEY, LWWMap.create(), new Replicator.WriteAll(TIMEOUT), replyTo, now -> edited(now, edits)),
                response -> new Written(then));
    }

    private LWWMap<String, RegisterEntry> edited(LWWMap<String, RegisterEntry> now, List<Edit> edits) {
        LWWMap<String, RegisterEntry> edited = now;
        for (Edit edit : edits) {
            String id = edit.id().value();
            Optional<RegisterEntry> before = OptionConverters.toJava(edited.get(id));
            Optional<RegisterEntry> after = edit.change().apply(before);
            if (after.isPresent() && !after.equals(before)) {
                edited = edited.put(self, id, after.get());
            }
        }
        return edited;
    }

    /** Reads the value, then goes on; whoever is told that a change is done finds it done. */
    private void read(Replicator.ReadConsistency from, Runnable then) {
        replicator.askGet(
                replyTo -> new Replicator.Get<>(KEY, from, replyTo),
                response -> response instanceof Replicator.GetSuccess<LWWMap<String, RegisterEntry>> found
                        ? new Read(found.get(KEY), then)
                        : new Read(value, then));
    }

    private void onRead(Read read) {
        adopt(read.value());
        read.then().run();
        keepMarks();
    }

    private void adopt(LWWMap<String, RegisterEntry> current) {
        value = current;
        register = current.getEntries();
        listener.accept(register.values().stream()
                .filter(RegisterEntry::live)
                .map(RegisterEntry::registration)
                .toList());
    }
}
