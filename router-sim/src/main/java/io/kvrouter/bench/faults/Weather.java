package io.kvrouter.bench.faults;

import io.kvrouter.sim.proxy.Fault;
import io.kvrouter.sim.proxy.FaultProxy;
import io.kvrouter.sim.server.SimulatedFleet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What happens between a router and its workers: calm until a storm begins, in which connections fail and workers die. */
final class Weather implements AutoCloseable {
    private static final double HEALTHY = 0.3;
    private static final int LATEST_BYTES = 150_000;
    private static final long BETWEEN_DEATHS_MS = 4_000;
    private static final int LONGEST_DEATH_MS = 2_000;

    private final SimulatedFleet fleet;
    private final Random random;
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final Map<String, Long> faults = new TreeMap<>();
    private boolean storm;

    Weather(SimulatedFleet fleet, long seed) {
        this.fleet = fleet;
        this.random = new Random(seed);
        fleet.urls().forEach(worker -> proxies.add(FaultProxy.before(worker, this::next)));
    }

    /** The fault of the next connection. */
    private synchronized Fault next() {
        if (!storm || random.nextDouble() < HEALTHY) {
            return Fault.NONE;
        }
        Fault.Kind[] kinds = Fault.Kind.values();
        var kind = kinds[1 + random.nextInt(kinds.length - 1)];
        count("connections to fail: " + kind.name().toLowerCase(Locale.ROOT));
        return new Fault(kind, random.nextInt(LATEST_BYTES));
    }

    private synchronized void count(String what) {
        faults.merge(what, 1L, Long::sum);
    }

    private synchronized void storm(boolean on) {
        storm = on;
    }

    /** Connections fail from now on, and one worker after the other dies and comes back, until the time is over. */
    void rage(long millis) {
        storm(true);
        proxies.forEach(FaultProxy::resetAll);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        sleep(Math.min(BETWEEN_DEATHS_MS, millis / 4));
        while (System.nanoTime() < end) {
            int struck = random.nextInt(proxies.size());
            proxies.get(struck).refuse();
            fleet.worker(struck).restart();
            count("workers that died");
            sleep(random.nextInt(LONGEST_DEATH_MS));
            proxies.get(struck).accept();
            sleep(Math.min(BETWEEN_DEATHS_MS, TimeUnit.NANOSECONDS.toMillis(Math.max(0, end - System.nanoTime()))));
        }
        storm(false);
        proxies.forEach(FaultProxy::resetAll);
    }

    private static void sleep(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** What was prepared for connections, and done to workers. */
    synchronized Map<String, Long> faults() {
        return new TreeMap<>(faults);
    }

    List<FaultProxy> proxies() {
        return proxies;
    }

    boolean met(String requestId) {
        return proxies.stream().anyMatch(proxy -> proxy.met(requestId));
    }

    /** Requests that a fault has met, some of them more than once. */
    long met() {
        return proxies.stream().mapToLong(FaultProxy::met).sum();
    }

    int open() {
        return proxies.stream().mapToInt(FaultProxy::open).sum();
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
    }
}
