package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.client.Call;
import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.client.Ingress;
import io.kvrouter.bench.workload.InfiniteCache;
import io.kvrouter.bench.workload.SessionSource;
import io.kvrouter.bench.workload.SessionTurn;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Sessions that are played side by side, each turn through a random node. Public methods may be called from any thread. */
public final class Lanes implements AutoCloseable {
    private static final double NANOS = 1e9;

    private final LanesShape shape;
    private final SessionSource source;
    private final ClientThread thread = new ClientThread();
    private final List<Ingress> ingresses = new ArrayList<>();
    private final RandomGenerator way;
    /** What all sessions have in common. */
    private final InfiniteCache common = new InfiniteCache();

    private LanesTally tally = new LanesTally();
    private boolean stopped;

    private Lanes(LanesShape shape, SessionSource source, List<URI> apis) {
        this.shape = shape;
        this.source = source;
        this.way = new SplittableRandom(shape.seed());
        apis.forEach(api -> ingresses.add(new Ingress(api, shape.concurrency(), thread)));
    }

    /** Begins to play. */
    public static Lanes start(LanesShape shape, SessionSource source, List<URI> apis) {
        var lanes = new Lanes(shape, source, apis);
        for (int i = 0; i < shape.lanes(); i++) {
            int number = i;
            lanes.thread.loop().execute(() -> new Lane(lanes, number).start());
        }
        return lanes;
    }

    /** What became of the turns since this was last called. */
    public LanesTally cut() {
        return ask(() -> {
            LanesTally over = tally;
            tally = new LanesTally();
            return over;
        });
    }

    /** No turn is sent from now on; those in flight run on. */
    public void stop() {
        ask(() -> {
            stopped = true;
            ingresses.forEach(Ingress::takeBackWaiting);
            return true;
        });
    }

    /** Turns sent whose end is not known. */
    public int inFlight() {
        return ask(() -> ingresses.stream().mapToInt(Ingress::inFlight).sum());
    }

    LanesShape shape() {
        return shape;
    }

    SessionSource source() {
        return source;
    }

    LanesTally tally() {
        return tally;
    }

    InfiniteCache common() {
        return common;
    }

    void send(Call turn) {
        ingresses.get(way.nextInt(ingresses.size())).send(turn);
    }

    /** Does it when the time before the turn is over. */
    void pause(SessionTurn turn, Runnable action) {
        after(shape.pause(turn.thinkSeconds()), action);
    }

    /** Does it after so many seconds, unless sessions are stopped by then. */
    void after(double seconds, Runnable action) {
        Runnable unlessStopped = () -> {
            if (!stopped) {
                action.run();
            }
        };
        var unused = thread.loop().schedule(unlessStopped, (long) (seconds * NANOS), TimeUnit.NANOSECONDS);
    }

    private <T> T ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, thread.loop()).join();
    }

    @Override
    public void close() {
        thread.close();
    }
}
