package io.kvrouter.overlap;

import io.kvrouter.kv.fleet.CacheOf;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.recent.RecentPrompts;
import io.kvrouter.kv.stream.StreamState;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.load.Roster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the caches of a fleet's places are found, by index of its roster: in the engines' events, among this node's own
 * requests in flight, and among its recent choices. All of it lies in arrays: nothing is hashed, and no object is
 * followed, for a candidate. How far events can be trusted is looked up anew a few times a second. Not safe for several
 * threads.
 */
public final class FleetCaches {
    private static final long LOOK_MS = 100;

    /**
     * Places whose prompts are walked alike.
     *
     * @param index with their events; null if there are none
     * @param blockSize tokens in a block
     */
    record Kind(@Nullable KvIndex index, int blockSize) {}

    /** How far a place's events can be trusted. */
    enum Trust {
        /** There are none. */
        NONE,
        /** What they tell is there, and more may be. */
        PARTLY,
        /** They tell all that is there. */
        WHOLLY,
        /** Its blocks are not those of its partition: whatever was found would be wrong. */
        IGNORED
    }

    private final FleetLoad fleet;
    private final Supplier<CacheView> known;
    private final RecentPrompts recent;
    private long rosterVersion = -1;
    private @Nullable CacheView view;
    private long looked;
    private final List<Kind> kinds = new ArrayList<>();
    private int[] kindOf = {};
    private int[] eventCaches = {};
    private int[] activeCaches = {};
    private int[] recentCaches = {};
    private Trust[] trust = {};

    public FleetCaches(FleetLoad fleet, Supplier<CacheView> known, RecentPrompts recent) {
        this.fleet = fleet;
        this.known = known;
        this.recent = recent;
    }

    /** Looks whether anything has moved since the last time. Called before the others. */
    public void refresh(long now) {
        CacheView seen = known.get();
        if (fleet.roster().version() != rosterVersion || seen != view || now - looked >= LOOK_MS) {
            rosterVersion = fleet.roster().version();
            view = seen;
            looked = now;
            look(fleet.roster(), seen);
        }
    }

    private void look(Roster places, CacheView seen) {
        int size = places.size();
        kinds.clear();
        kindOf = new int[size];
        eventCaches = new int[size];
        activeCaches = new int[size];
        recentCaches = new int[size];
        trust = new Trust[size];
        for (int i = 0; i < size; i++) {
            if (places.isTaken(i)) {
                look(i, places.place(i), seen);
            }
        }
    }

    private void look(int i, Place place, CacheView seen) {
        Optional<CacheOf> cache = seen.of(place.key());
        Trust trusted = cache.map(c -> trust(c.state())).orElse(Trust.NONE);
        boolean told = trusted == Trust.WHOLLY || trusted == Trust.PARTLY;
        trust[i] = trusted;
        kindOf[i] = kind(new Kind(cache.filter(c -> told).map(CacheOf::index).orElse(null), place.blockSize()));
        eventCaches[i] = cache.map(CacheOf::number).orElse(0);
        activeCaches[i] = fleet.own(i).number();
        recentCaches[i] = recent.of(place.key()).number();
    }

    private static Trust trust(StreamState state) {
        return switch (state) {
            case LIVE -> Trust.WHOLLY;
            case SYNCING, SUSPECT -> Trust.PARTLY;
            case SILENT -> Trust.NONE;
            case WRONG_BLOCK_SIZE -> Trust.IGNORED;
        };
    }

    private int kind(Kind kind) {
        if (!kinds.contains(kind)) {
            kinds.add(kind);
        }
        return kinds.indexOf(kind);
    }

    /** The load of the same fleet. */
    public FleetLoad fleet() {
        return fleet;
    }

    RecentPrompts recent() {
        return recent;
    }

    List<Kind> kinds() {
        return kinds;
    }

    int kindOf(int place) {
        return kindOf[place];
    }

    int eventCache(int place) {
        return eventCaches[place];
    }

    int activeCache(int place) {
        return activeCaches[place];
    }

    int recentCache(int place) {
        return recentCaches[place];
    }

    Trust trust(int place) {
        return trust[place];
    }

    /** Whether a prompt that goes to the place is remembered: not where the engine itself will tell. */
    public boolean wantsChoice(Place place, boolean exact) {
        int index = fleet.roster().indexOf(place.key());
        return index >= 0 && trust[index] != Trust.IGNORED && !(exact && trust[index] == Trust.WHOLLY);
    }
}
