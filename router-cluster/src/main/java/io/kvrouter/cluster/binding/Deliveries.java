package io.kvrouter.cluster.binding;

import io.kvrouter.session.SessionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;

/** Rows under way to the other members, and who wants to hear of their arrival. State of the writer. */
final class Deliveries {
    private final Map<Long, Delivery> underWay = new HashMap<>();
    private final int[] ofTable = new int[SessionKey.TABLES];
    private final Map<Integer, List<ActorRef<Done>>> waiting = new HashMap<>();
    private long last;

    /**
     * One message to all others.
     *
     * @param tables whose rows it has
     * @param madeAtNanos when the oldest of its new rows was made; none where all only refresh
     */
    record Delivery(Set<Integer> tables, OptionalLong madeAtNanos, Set<Long> missing) {}

    /** Rows go to members of these uids. */
    long begin(Collection<Integer> tables, OptionalLong madeAtNanos, Set<Long> members) {
        underWay.put(++last, new Delivery(Set.copyOf(tables), madeAtNanos, new HashSet<>(members)));
        tables.forEach(table -> ofTable[table]++);
        return last;
    }

    /** One member has them; the delivery, if that was the last. */
    Optional<Delivery> taken(long number, long by) {
        return find(number)
                .filter(delivery ->
                        delivery.missing().remove(by) && delivery.missing().isEmpty());
    }

    /** It is under way, unless it has ended. */
    Optional<Delivery> find(long number) {
        return Optional.ofNullable(underWay.get(number));
    }

    /** Nobody waits for it any more. */
    void end(long number) {
        var ended = underWay.remove(number);
        if (ended != null) {
            ended.tables().forEach(table -> {
                ofTable[table]--;
                release(table);
            });
        }
    }

    /** Answers when no row of the table is under way. */
    void await(int table, ActorRef<Done> replyTo) {
        waiting.computeIfAbsent(table, any -> new ArrayList<>()).add(replyTo);
        release(table);
    }

    private void release(int table) {
        var heard = ofTable[table] == 0 ? waiting.remove(table) : null;
        if (heard != null) {
            heard.forEach(replyTo -> replyTo.tell(Done.getInstance()));
        }
    }
}
