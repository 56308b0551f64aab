package io.kvrouter.http.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one file says, or several together, as it was the last time that it could be used. Their content is looked at, not
 * their time: that has no meaning where files are links that an orchestrator turns. Another content counts when it was read
 * twice alike, so that one which is only half written does not; one that can't be used is reported once, and what was
 * before it stays. It is tried again at each look: a certificate of tomorrow is good tomorrow.
 *
 * @param <S> their content, equal to another that says the same
 * @param <T> what is made of it
 */
public final class WatchedFiles<S, T> implements Supplier<T> {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);

    private final String name;
    private final Supplier<S> read;
    private final Function<S, T> make;
    private Reading<S> taken;
    private Reading<S> seen;
    private String complaint = "";
    private volatile T value;

    private WatchedFiles(String name, Supplier<S> read, Function<S, T> make) {
        S first = read.get();
        this.name = name;
        this.read = read;
        this.make = make;
        this.taken = Reading.of(first);
        this.seen = taken;
        this.value = make.apply(first);
    }

    /**
     * Reads files for the first time. What both functions throw says which file is wrong and why, and nothing of what must
     * stay secret.
     *
     * @param name of the files, for the log
     * @param read their content; {@link IllegalArgumentException} if one can't be read
     * @param make what they mean; {@link IllegalArgumentException} if it can't be used
     * @throws IllegalArgumentException as they do
     */
    public static <S, T> WatchedFiles<S, T> open(String name, Supplier<S> read, Function<S, T> make) {
        return new WatchedFiles<>(name, read, make);
    }

    /**
     * Reads a file of text for the first time.
     *
     * @param parse its {@link IllegalArgumentException} need not name the file
     * @throws IllegalArgumentException it can't be used
     */
    public static <T> WatchedFiles<String, T> open(Path path, Function<String, T> parse) {
        return open(path.toString(), () -> text(path), text -> {
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
            }
        });
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new IllegalArgumentException(path + ": can't be read", e);
        }
    }

    /** Looks at them from now on, as long as the actor system runs: a change counts within two intervals. */
    public void watch(ActorSystem<?> system, Duration interval) {
        var blocking = system.dispatchers().lookup(DispatcherSelector.blocking());
        system.scheduler().scheduleWithFixedDelay(interval, interval, this::look, blocking);
    }

    /** Reads them again. Never throws what a file can bring about: it is a task that would not be repeated then. */
    public synchronized void look() {
        Reading<S> now = reading();
        boolean settled = now.equals(seen);
        seen = now;
        if (now.equals(taken)) {
            complaint = "";
        } else if (settled) {
            take(now);
        }
    }

    private Reading<S> reading() {
        try {
            return Reading.of(read.get());
        } catch (RuntimeException | StackOverflowError e) {
            return new Reading<>(Optional.empty(), problem(e));
        }
    }

    /** Of what nobody expected its kind only: its message may say what must stay secret. */
    private String problem(Throwable failure) {
        return failure instanceof IllegalArgumentException
                ? String.valueOf(failure.getMessage())
                : name + ": can't be used (" + failure.getClass().getSimpleName() + ")";
    }

    private void take(Reading<S> changed) {
        try {
            value = make.apply(changed.get());
            taken = changed;
            complaint = "";
            LOG.info("{} changed, and counts as it is now", name);
        } catch (RuntimeException | StackOverflowError e) {
            complain(problem(e));
        }
    }

    private void complain(String problem) {
        if (!complaint.equals(problem)) {
            LOG.warn("{}; what was there before stays in use", problem);
        }
        complaint = problem;
    }

    @Override
    public T get() {
        return value;
    }

    /**
     * What a look has found.
     *
     * @param problem why there is no content; nothing where there is
     */
    private record Reading<S>(Optional<S> content, String problem) {
        static <S> Reading<S> of(S content) {
            return new Reading<>(Optional.of(content), "");
        }

        S get() {
            return content.orElseThrow(() -> new IllegalArgumentException(problem));
        }
    }
}
