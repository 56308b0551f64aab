package io.kvrouter.cluster.kv;

import io.kvrouter.kv.fleet.EventSources.Feed;
import io.kvrouter.kv.stream.RankStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** One thread that reads the sockets of its feeds and lets their streams apply what came. */
final class EventPoller {
    private static final Logger LOG = LoggerFactory.getLogger(EventPoller.class);

    /** How long new feeds and the streams' own times may wait. */
    private static final Duration TURN = Duration.ofMillis(50);

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private final ZContext context;
    private final Thread thread;
    private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final AtomicInteger load = new AtomicInteger();
    private final List<RankFeed> feeds = new ArrayList<>();
    private long lastLook = KvEventSources.clock();
    private volatile boolean stopped;

    private EventPoller(ZContext context, String name) {
        this.context = context;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    static EventPoller start(ZContext context, String name) {
        var poller = new EventPoller(context, name);
        poller.thread.start();
        return poller;
    }

    /** Feeds that it has, or will have as soon as it comes to it. */
    int load() {
        return load.get();
    }

    Feed add(RankFeed feed) {
        load.incrementAndGet();
        orders.add(() -> {
            feeds.add(feed);
            feed.connect(context);
        });
        return new Feed() {
            @Override
            public void act(Consumer<RankStream> action) {
                orders.add(() -> feed.act(action));
            }

            @Override
            public void close() {
                load.decrementAndGet();
                orders.add(() -> {
                    feeds.remove(feed);
                    feed.close();
                });
            }
        };
    }

    void stop() {
        stopped = true;
    }

    void join() {
        try {
            var unused = thread.join(JOIN_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            try {
                turn();
            } catch (RuntimeException e) { // a thread that ends would leave its ranks behind in silence
                LOG.error("KV events: an error in the thread that reads them", e);
            }
        }
        feeds.forEach(RankFeed::disconnect);
    }

    private void turn() {
        for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
            order.run();
        }
        try (ZMQ.Poller poller = context.createPoller(Math.max(1, 2 * feeds.size()))) {
            feeds.forEach(feed -> feed.register(poller));
            boolean quiet = true;
            while (quiet && orders.isEmpty() && !stopped) {
                await(poller);
                quiet = !read(poller);
            }
        }
    }

    /** A poller without sockets does not wait by itself. */
    private static void await(ZMQ.Poller poller) {
        if (poller.getSize() == 0) {
            LockSupport.parkNanos(TURN.toNanos());
        } else {
            poller.poll(TURN.toMillis());
        }
    }

    /** Reads what came. Returns whether a feed has other sockets now. */
    private boolean read(ZMQ.Poller poller) {
        long now = KvEventSources.clock();
        boolean look = now - lastLook >= TURN.toMillis();
        lastLook = look ? now : lastLook;
        boolean changed = false;
        for (RankFeed feed : feeds) {
            if (feed.read(poller, now) || look) {
                changed |= feed.ask(context, now);
            }
        }
        return changed;
    }
}
