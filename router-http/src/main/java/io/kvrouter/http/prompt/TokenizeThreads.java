package io.kvrouter.http.prompt;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that render and tokenize, so that no event loop does, with a queue that is bounded. */
final class TokenizeThreads implements AutoCloseable {
    private static final int IDLE_SECONDS = 60;

    private final ThreadPoolExecutor threads;

    TokenizeThreads(int count, int queue) {
        var made = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), task -> {
                    var thread = new Thread(task, "kvrouter-tokenize-" + made.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Runs a task; fails with {@link RejectedExecutionException} at once when too many wait. */
    <T> CompletableFuture<T> run(Callable<T> task) {
        var result = new CompletableFuture<T>();
        try {
            threads.execute(() -> {
                try {
                    result.complete(task.call());
                } catch (Throwable e) { // an error too: the request goes on without tokens
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
