package io.kvrouter.sim.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The events of a step, as few as their order allows: consecutive new blocks of a sequence are one event, and so are
 * evictions in a row.
 */
final class KvJournal {
    private List<KvEvent> events = new ArrayList<>();

    void removed(long name) {
        if (events.isEmpty() || !(events.getLast() instanceof KvEvent.Removed)) {
            events.add(new KvEvent.Removed());
        }
        ((KvEvent.Removed) events.getLast()).append(name);
    }

    /** The block at this place of a request's sequence is new in the cache. */
    void stored(EngineRequest request, int index, long name, OptionalLong parent) {
        if (events.isEmpty()
                || !(events.getLast() instanceof KvEvent.Stored last)
                || !last.append(request, index, name)) {
            var begun = new KvEvent.Stored(request, index, parent);
            begun.append(request, index, name);
            events.add(begun);
        }
    }

    /** What happened since the last time this was asked. */
    List<KvEvent> take() {
        List<KvEvent> taken = events;
        events = new ArrayList<>();
        return taken;
    }
}
