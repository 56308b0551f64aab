package io.kvrouter.http.loop;

import com.typesafe.config.Config;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * Lets a Pekko dispatcher run its mailboxes on the event loop that caused the work, and those of other threads on a
 * loop by hash. Named as {@code executor} in the {@code kvrouter-loops} block; only what never blocks may run there.
 */
public final class LoopLocalExecutor extends ExecutorServiceConfigurator {
    private final DispatcherPrerequisites prerequisites;
    private final int loops;

    /** Called by Pekko with the dispatcher's block. */
    public LoopLocalExecutor(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
        this.prerequisites = prerequisites;
        this.loops = EventLoops.countIn(config);
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threadFactory) {
        return () -> new OnLoops(EventLoops.lease(prerequisites.eventStream(), loops));
    }

    /** A view of the loops that may be shut down without stopping them for others. */
    private static final class OnLoops extends AbstractExecutorService {
        private final EventLoops loops;
        private final CountDownLatch open = new CountDownLatch(1);

        OnLoops(EventLoops loops) {
            this.loops = loops;
        }

        @Override
        public void execute(Runnable task) {
            loops.execute(task);
        }

        @Override
        public synchronized void shutdown() {
            if (!isShutdown()) {
                open.countDown();
                loops.release();
            }
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return open.getCount() == 0;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return open.await(timeout, unit);
        }
    }
}
