package io.kvrouter.sim.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last 10,000 completion requests of one worker, oldest first. Confined to its loop. */
final class RequestLog {
    private static final int BOUND = 10_000;

    private final Deque<LoggedRequest> requests = new ArrayDeque<>();

    void add(LoggedRequest request) {
        if (requests.size() == BOUND) {
            requests.removeFirst();
        }
        requests.addLast(request);
    }

    List<JsonNode> all() {
        return requests.stream().map(LoggedRequest::json).toList();
    }

    void clear() {
        requests.clear();
    }
}
