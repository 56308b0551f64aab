package io.kvrouter.selection;

import io.kvrouter.kv.RecentPrompts;
import io.kvrouter.kv.index.KnownCaches;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.load.Roster;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the caches of a fleet's places are found, by index of its roster: in the engines' events, among this node's own
 * requests in flight, and among its recent choices. Nothing is hashed for a candidate. Not safe for several threads.
 */
public final class FleetCaches {
    private final FleetLoad fleet;
    private final KnownCaches known;
    private final RecentPrompts recent;
    private @Nullable Roster roster;
    private long version;
    private KnownCaches.Sight[] sights = {};
    private int[] recents = {};

    public FleetCaches(FleetLoad fleet, KnownCaches known, RecentPrompts recent) {
        this.fleet = fleet;
        this.known = known;
        this.recent = recent;
    }

    /** Looks whether anything has moved since the last time. Called before the others. */
    void refresh() {
        Roster now = fleet.roster();
        long seen = known.version(); // before the answers: one that changes meanwhile is asked again
        if (now == roster && seen == version) {
            return;
        }
        sights = new KnownCaches.Sight[now.size()];
        recents = new int[now.size()];
        Arrays.setAll(sights, index -> known.of(now.place(index).key()));
        Arrays.setAll(recents, index -> recent.of(now.place(index).key()).number());
        roster = now;
        version = seen;
    }

    FleetLoad fleet() {
        return fleet;
    }

    /** The index with the place's events; null if there are none to rely on. */
    @Nullable
    KvIndex events(int index) {
        return sights[index].index();
    }

    int eventCache(int index) {
        return sights[index].number();
    }

    boolean ignored(int index) {
        return sights[index].ignored();
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
        return index >= 0 && !ignored(index) && !(exact && events(index) != null);
    }
}
