package io.kvrouter.cluster.binding;

import io.kvrouter.session.SessionKey;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;

/** How far a node is with reading the tables, and which members it may read from. State of {@link BindingJoin}. */
final class JoinProgress {
    /** Tables asked for at once: bounds the bytes under way to some MB. */
    private static final int WINDOW = 512;

    private final BitSet unread = new BitSet(SessionKey.TABLES);
    private final Map<Address, ActorRef<BindingPeer.Command>> ready = new HashMap<>();
    private final Set<Address> unready = new HashSet<>();
    private Set<Address> asked = Set.of();
    private int turn;
    private boolean stalled = true;

    JoinProgress() {
        unread.set(0, SessionKey.TABLES);
    }

    /** A new round of questions to all other members. What was heard of members that are gone is forgotten. */
    void ask(Set<Address> members) {
        asked = Set.copyOf(members);
        ready.keySet().retainAll(members);
        unready.clear();
    }

    void heard(BindingPeer.Readiness answer) {
        var address = answer.peer().path().address();
        if (answer.ready()) {
            ready.put(address, answer.peer());
        } else {
            ready.remove(address);
            unready.add(address);
        }
    }

    /** All others have said since they were last asked that they are not ready: nobody has anything to read. */
    boolean nobodyReady(Set<Address> members) {
        return ready.isEmpty() && asked.containsAll(members) && unready.containsAll(members);
    }

    /** A table has come; whether it was the last of those asked for, so that the next can be asked for. */
    boolean read(int table) {
        boolean first = unread.get(table);
        unread.clear(table);
        stalled = false;
        return first && unread.cardinality() % WINDOW == 0;
    }

    boolean complete() {
        return unread.isEmpty();
    }

    /** Whether nothing has come since this was last asked. */
    boolean stalled() {
        boolean was = stalled;
        stalled = true;
        return was;
    }

    /** The next tables to ask for; those that did not come are asked of another member next time. */
    List<Integer> next() {
        return unread.stream().limit(WINDOW).boxed().toList();
    }

    /** A ready member, another one each time. */
    Optional<ActorRef<BindingPeer.Command>> source() {
        return ready.isEmpty()
                ? Optional.empty()
                : ready.values().stream().skip(turn++ % ready.size()).findFirst();
    }
}
