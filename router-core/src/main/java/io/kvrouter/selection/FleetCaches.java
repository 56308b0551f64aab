package io.kvrouter.selection;

import io.kvrouter.kv.RecentPrompts;
import io.kvrouter.kv.fleet.CacheOf;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.stream.StreamState;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.load.Roster;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the caches of a fleet's places are found, by index of its roster: in the engines' events, among this node's own
 * requests in flight, and among its recent choices. Nothing is hashed for a candidate. Not safe for several threads.
 */
public final class FleetCaches {
    private final FleetLoad fleet;
    private final Supplier<CacheView> known;
    private final RecentPrompts recent;
    private @Nullable Roster roster;
    private @Nullable CacheView view;
    private @Nullable CacheOf[] caches = {};
    private int[] recents = {};

    public FleetCaches(FleetLoad fleet, Supplier<CacheView> known, RecentPrompts recent) {
        this.fleet = fleet;
        this.known = known;
        this.recent = recent;
    }

    /** Looks whether anything has moved since the last time. Called before the others. */
    void refresh() {
        Roster now = fleet.roster();
        CacheView seen = known.get();
        if (now == roster && seen == view) {
            return;
        }
        caches = new CacheOf[now.size()];
        recents = new int[now.size()];
        Arrays.setAll(caches, index -> seen.of(now.place(index).key()).orElse(null));
        Arrays.setAll(recents, index -> recent.of(now.place(index).key()).number());
        roster = now;
        view = seen;
    }

    FleetLoad fleet() {
        return fleet;
    }

    /** The index with the place's events; null if there are none. */
    @Nullable
    KvIndex events(int index) {
        CacheOf cache = caches[index];
        return cache != null && cache.state().known() ? cache.index() : null;
    }

    int eventCache(int index) {
        CacheOf cache = caches[index];
        return cache == null ? 0 : cache.number();
    }

    /** Whether the events tell all that the place's cache holds. */
    boolean live(int index) {
        CacheOf cache = caches[index];
        return cache != null && cache.state() == StreamState.LIVE;
    }

    /** Whether nothing counts that is remembered of the place: its blocks are not those of its partition. */
    boolean ignored(int index) {
        CacheOf cache = caches[index];
        return cache != null && cache.state() == StreamState.WRONG_BLOCK_SIZE;
    }

    int recentCache(int index) {
        return recents[index];
    }

    RecentPrompts recent() {
        return recent;
    }

    /** Whether a prompt that goes to the place is remembered: not where the engine itself will tell. */
    public boolean wantsChoice(Place place, boolean exact) {
        refresh();
        int index = fleet.roster().indexOf(place.key());
        return index >= 0 && !ignored(index) && !(exact && live(index));
    }
}
