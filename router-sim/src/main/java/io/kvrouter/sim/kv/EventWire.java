package io.kvrouter.sim.kv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.zeromq.ZContext;

/**
 * The one thread of a process that owns all its sockets and streams of KV events: a ZeroMQ socket must not be used by
 * two threads at once. Others hand it actions, done in order of arrival.
 */
public final class EventWire implements AutoCloseable {
    private final ZContext context = new ZContext();
    private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
    private final Set<RankSockets> sockets = new LinkedHashSet<>();
    private final Selector selector;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean open = true;

    public EventWire() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            context.close();
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("sim-kv").start(this::run);
    }

    /**
     * Opens one rank's two ports.
     *
     * @throws UncheckedIOException naming the port, if one is in use
     */
    public KvPublisher open(String host, KvRank rank) {
        var opened = new CompletableFuture<RankSockets>();
        execute(() -> {
            try {
                var bound = new RankSockets(context, host, rank);
                sockets.add(bound);
                bound.register(selector);
                opened.complete(bound);
            } catch (UncheckedIOException | IOException e) {
                opened.completeExceptionally(e);
            }
        });
        try {
            return new KvPublisher(this, opened.join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException io) {
                throw io;
            }
            throw e;
        }
    }

    /** All ports are closed when this returns. */
    @Override
    public void close() {
        execute(() -> open = false);
        ended.join();
    }

    void close(RankSockets closing) {
        submit(() -> {
                    if (sockets.remove(closing)) {
                        closing.close();
                    }
                })
                .join();
    }

    void execute(Runnable action) {
        actions.add(action);
        selector.wakeup();
    }

    CompletableFuture<Void> submit(Runnable action) {
        return CompletableFuture.runAsync(action, this::execute);
    }

    private void run() {
        try (context;
                selector) {
            while (open) {
                selector.select();
                for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
                    action.run();
                }
                for (var key : selector.selectedKeys()) {
                    if (key.attachment() instanceof RankSockets ready && sockets.contains(ready)) {
                        ready.answerReplays();
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended.complete(null);
        }
    }
}
