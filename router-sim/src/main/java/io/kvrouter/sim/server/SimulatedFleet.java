package io.kvrouter.sim.server;

import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Several simulated workers of one process, alike, on as few event loops as make sense. */
public final class SimulatedFleet implements AutoCloseable {
    private static final int MAX_LOOPS = 2;

    private final Neighbourhood neighbourhood;
    private final List<SimulatedWorker> workers = new ArrayList<>();

    private SimulatedFleet(int count) {
        neighbourhood = new Neighbourhood(Math.min(count, MAX_LOOPS));
    }

    /**
     * Starts so many workers on consecutive ports, or on free ones if the first is 0.
     *
     * @throws UncheckedIOException naming the port, if one is in use; then none is left running
     */
    public static SimulatedFleet start(int count, int firstPort, SimSettings settings) {
        if (count < 1 || firstPort < 0 || firstPort + count - 1 > 65_535) {
            throw new IllegalArgumentException("fleet: " + count + " workers from port " + firstPort
                    + " (expected: at least one, ports up to 65535)");
        }
        var fleet = new SimulatedFleet(count);
        try {
            for (int i = 0; i < count; i++) {
                int port = firstPort == 0 ? 0 : firstPort + i;
                fleet.workers.add(SimulatedWorker.start(settings.ofWorker(i), port, fleet.neighbourhood));
            }
            return fleet;
        } catch (UncheckedIOException e) {
            fleet.close();
            throw e;
        }
    }

    public List<SimulatedWorker> workers() {
        return List.copyOf(workers);
    }

    public SimulatedWorker worker(int index) {
        return workers.get(index);
    }

    public List<URI> urls() {
        return workers.stream().map(SimulatedWorker::url).toList();
    }

    @Override
    public void close() {
        workers.forEach(SimulatedWorker::close);
        neighbourhood.close();
    }
}
