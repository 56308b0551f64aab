package io.kvrouter.overlap;

import io.kvrouter.kv.Prompt;
import java.util.ArrayList;
import java.util.List;

/**
 * The walks of one prompt: mostly one, more where the candidates differ in block size or partition. A walk is made when
 * the first candidate needs it. Lives as long as its selector, and is used for one prompt after the other.
 */
public final class Walks {
    private final FleetCaches caches;
    private final List<Walk> byKind = new ArrayList<>();
    private long[] begun = {};
    private long number;
    private Prompt prompt = Prompt.ofText("");

    public Walks(FleetCaches caches) {
        this.caches = caches;
    }

    /** From now on this prompt. */
    public void begin(Prompt of) {
        prompt = of;
        number++;
        if (begun.length < caches.kinds().size()) {
            begun = new long[caches.kinds().size()];
            while (byKind.size() < begun.length) {
                byKind.add(new Walk(caches));
            }
        }
    }

    /** The walk that says what the prompt meets at the place at a roster index. */
    public Walk at(int place) {
        int kind = caches.kindOf(place);
        Walk walk = byKind.get(kind);
        if (begun[kind] != number) {
            begun[kind] = number;
            walk.begin(caches.kinds().get(kind), prompt);
        }
        return walk;
    }

    /** Of which fleet. */
    public FleetCaches caches() {
        return caches;
    }
}
