package io.kvrouter.bench.soak.leak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What grew between two quiet moments. Nodes that were started meanwhile are measured by those that were there before,
 * since all of them do the same; the room left is what idle pools and caches may differ by.
 */
public final class Growth {
    private static final long ROOM_FILES = 32;
    private static final long ROOM_THREADS = 16;
    private static final long ROOM_ACTORS = 24;
    private static final long ROOM_TURNS = 8;

    private final List<Footing> before;
    private final List<Footing> now;
    private final List<Leak> leaks = new ArrayList<>();

    private Growth(List<Footing> before, List<Footing> now) {
        this.before = before;
        this.now = now;
    }

    /** Of all nodes; nodes of one moment, then those of a later one. */
    public static List<Leak> of(List<Footing> before, List<Footing> now) {
        var growth = new Growth(before, now);
        growth.look("open files", Footing::files, ROOM_FILES);
        growth.look("threads", Footing::threads, ROOM_THREADS);
        growth.look("actors", Footing::actors, ROOM_ACTORS);
        growth.look("objects of turns", Footing::turns, ROOM_TURNS);
        return growth.leaks;
    }

    private void look(String kind, ToLongFunction<Footing> value, long room) {
        long most = before.stream().mapToLong(value).max().orElse(Long.MAX_VALUE - room);
        for (Footing node : now) {
            if (value.applyAsLong(node) > most + room) {
                leaks.add(new Leak(
                        kind,
                        node.node(),
                        value.applyAsLong(node) + " (expected: at most " + most + " as before, and " + room + ")"));
            }
        }
    }
}
