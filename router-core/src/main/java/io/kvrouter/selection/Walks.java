package io.kvrouter.selection;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.index.KvIndex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The walks of one prompt: mostly one, more where the candidates differ in block size or partition. A walk is made when
 * the first candidate needs it. Lives as long as its selector, and is used for one prompt after the other.
 */
final class Walks {
    private final FleetCaches caches;
    private final List<Walk> pool = new ArrayList<>();
    private Prompt prompt = Prompt.ofText("");
    private int used;

    Walks(FleetCaches caches) {
        this.caches = caches;
    }

    void begin(Prompt of) {
        caches.refresh();
        prompt = of;
        used = 0;
    }

    /** The walk that says what the prompt meets at the place at a roster index. */
    Walk at(int place) {
        int blockSize = caches.fleet().roster().place(place).blockSize();
        KvIndex index = caches.events(place);
        for (int i = 0; i < used; i++) {
            if (pool.get(i).isOf(index, blockSize)) {
                return pool.get(i);
            }
        }
        return walk(index, blockSize);
    }

    private Walk walk(@Nullable KvIndex index, int blockSize) {
        if (used == pool.size()) {
            pool.add(new Walk());
        }
        Walk walk = pool.get(used++);
        walk.begin(caches, index, prompt, blockSize);
        return walk;
    }

    FleetCaches caches() {
        return caches;
    }
}
