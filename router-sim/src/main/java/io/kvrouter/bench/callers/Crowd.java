package io.kvrouter.bench.callers;

import io.kvrouter.bench.patience.Answers;
import io.kvrouter.bench.patience.Clients;
import io.kvrouter.bench.patience.Completions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clients of one caller, spread over the nodes in turn, each with its next request as soon as it has an answer. */
final class Crowd implements AutoCloseable {
    /** More than any request may wait at a node, so that the node's word comes first. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Answers answers = new Answers();
    private final List<Clients> byNode = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Sends them off.
     *
     * @param ports of the nodes
     * @param until by {@link System#nanoTime}; later no request is sent
     */
    Crowd(List<Integer> ports, int clients, Completions requests, long until) {
        int each = clients / ports.size();
        int more = clients % ports.size();
        for (int node = 0; node < ports.size(); node++) {
            var here = new Clients(ports.get(node), requests, PATIENCE);
            byNode.add(here);
            threads.addAll(here.start(node < more ? each + 1 : each, until, answers));
        }
    }

    /** What they got, when all of them have got their last answer. */
    Answers answers() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        return answers;
    }

    @Override
    public void close() {
        byNode.forEach(Clients::close);
    }
}
