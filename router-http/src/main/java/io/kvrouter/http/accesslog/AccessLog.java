package io.kvrouter.http.accesslog;

import com.typesafe.config.Config;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.settings.SettingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access log of a node. Requests leave their lines in a bounded queue, and a thread of its own makes them into JSON
 * and writes them: no request waits for a disk. What finds no room, or can't be written, is dropped and counted.
 */
public final class AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final int BATCH = 256;
    private static final long LOOK_MS = 100;
    private static final long OUTAGE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AccessLogSettings settings;
    private final RotatedFile file;
    private final BlockingQueue<AccessLine> queue;
    private final AtomicLong dropped = new AtomicLong();
    private final CompletableFuture<Done> closed = new CompletableFuture<>();
    private volatile boolean closing;
    private long failedAt;
    private boolean failed;

    AccessLog(AccessLogSettings settings, RotatedFile file) {
        this.settings = settings;
        this.file = file;
        this.queue = new ArrayBlockingQueue<>(settings.queue());
    }

    /**
     * Opens the log; empty if there is to be none.
     *
     * @throws SettingException a setting can't be used, or the file can't be written
     */
    public static Optional<AccessLog> open(Config config) {
        AccessLogSettings settings = AccessLogSettings.from(config);
        return settings.file().map(path -> {
            try {
                return new AccessLog(
                        settings, new RotatedFile(path, settings.maxBytes(), settings.files(), Clock.systemUTC()));
            } catch (IOException e) {
                throw new SettingException(AccessLogSettings.FILE, path + " can't be written (" + reason(e) + ")");
            }
        });
    }

    /**
     * The API, with a line for each of its requests.
     *
     * @param node as lines name this one
     */
    public Endpoint around(Endpoint api, String node) {
        return new LoggedEndpoint(api, node, this, Clock.systemUTC());
    }

    /** Writes from now on, to the last line before the actor system ends. */
    public void start(ActorSystem<?> system) {
        CoordinatedShutdown.get(system)
                .addTask(CoordinatedShutdown.PhaseBeforeActorSystemTerminate(), "access-log", this::close);
        Thread.ofPlatform().name("kvrouter-access-log").daemon().start(this::run);
    }

    /** Lines that were not written. */
    public long dropped() {
        return dropped.get();
    }

    /** Never waits. */
    void add(AccessLine line) {
        if (!queue.offer(line)) {
            dropped.incrementAndGet();
        }
    }

    /** Writes what is there, and ends. */
    CompletionStage<Done> close() {
        closing = true;
        return closed;
    }

    private void run() {
        try (file) {
            while (!closing || !queue.isEmpty()) {
                AccessLine first = queue.poll(LOOK_MS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    List<AccessLine> lines = new ArrayList<>(BATCH);
                    lines.add(first);
                    queue.drainTo(lines, BATCH - 1);
                    write(lines);
                }
            }
        } catch (IOException e) {
            LOG.warn("the access log was not closed: {}", reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed.complete(Done.getInstance());
        }
    }

    /** Whatever fails, the thread goes on: without it each later line would be lost. */
    private void write(List<AccessLine> lines) {
        try {
            var bytes = new ByteArrayOutputStream();
            for (AccessLine line : lines) {
                line.write(bytes);
            }
            file.append(bytes.toByteArray());
        } catch (IOException | RuntimeException e) {
            dropped.addAndGet(lines.size());
            complain(e);
        }
    }

    /** Once an outage: a disk that is full takes a line now and then. */
    private void complain(Exception failure) {
        long now = System.nanoTime();
        if (!failed || now - failedAt > OUTAGE_NANOS) {
            LOG.warn(
                    "the access log {} can't be written ({}): requests go on, their lines are lost",
                    settings.file().orElseThrow(),
                    reason(failure));
        }
        failed = true;
        failedAt = now;
    }

    /** The library's messages are often just the file's name. */
    private static String reason(Exception failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
