package io.kvrouter.bench;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A round under way: hands out its requests one by one and collects what became of them. Confined to one thread. */
final class Course {
    private static final int OK = 200;

    private final List<byte[]> requests;
    private final long[] nanos;
    private final Map<String, Integer> decisions = new HashMap<>();
    private final long startedNanos = System.nanoTime();
    private final CompletableFuture<Round> over = new CompletableFuture<>();
    private int given;
    private int succeeded;
    private int failed;

    Course(List<byte[]> requests) {
        this.requests = requests;
        this.nanos = new long[requests.size()];
        endIfOver();
    }

    /** The next request to send, or nothing if all were given out. */
    byte @Nullable [] next() {
        return given < requests.size() ? requests.get(given++) : null;
    }

    void answered(int status, @Nullable String decision, long latencyNanos) {
        if (status != OK) {
            failed();
            return;
        }
        nanos[succeeded++] = latencyNanos;
        if (decision != null) {
            decisions.merge(decision, 1, Integer::sum);
        }
        endIfOver();
    }

    /** One of the requests given out has no complete answer. */
    void failed() {
        failed++;
        endIfOver();
    }

    /** Nobody is left to send the rest. */
    void abandon() {
        failed = requests.size() - succeeded;
        endIfOver();
    }

    CompletableFuture<Round> over() {
        return over;
    }

    private void endIfOver() {
        if (succeeded + failed == requests.size()) {
            var samples = Samples.of(Arrays.copyOf(nanos, succeeded));
            over.complete(new Round(samples, failed, decisions, System.nanoTime() - startedNanos));
        }
    }
}
