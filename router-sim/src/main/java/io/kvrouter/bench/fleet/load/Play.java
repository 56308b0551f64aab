package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.workload.InfiniteCache;
import io.kvrouter.bench.workload.Session;
import java.util.random.RandomGenerator;

/** One session as it is played once: unlike all others, but for what sessions share. */
final class Play {
    private final Session session;
    private final String id;
    private final TurnText text;
    private final InfiniteCache ideal;
    private int agents;

    Play(Lanes lanes, String id, RandomGenerator random) {
        this.session = lanes.source().next(random);
        this.id = id;
        this.text = new TurnText(lanes.shape(), random.nextLong());
        this.ideal = new InfiniteCache(lanes.common());
    }

    Session session() {
        return session;
    }

    String id() {
        return id;
    }

    /** The id of its next sub-agent, which is a session of its own to the router. */
    String nextAgent() {
        agents++;
        return id + "-a" + agents;
    }

    TurnText text() {
        return text;
    }

    /** What a cache without bounds has of it and its sub-agents. */
    InfiniteCache ideal() {
        return ideal;
    }
}
