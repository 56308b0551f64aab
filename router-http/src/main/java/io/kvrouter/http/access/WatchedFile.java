package io.kvrouter.http.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a file says, as it was the last time that it could be used. Its content is looked at, not its time: that has no
 * meaning where files are links that an orchestrator turns. Another content counts when it was read twice alike, so that
 * one which is only half written does not; one that can't be used is reported once, and what was before it stays.
 */
public final class WatchedFile<T> implements Supplier<T> {
    /** How often to {@link #look}: a change counts within twice that. */
    public static final Duration INTERVAL = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

    private final Path path;
    private final Function<String, T> parse;
    private Optional<String> judged;
    private Optional<String> seen;
    private volatile T value;

    private WatchedFile(Path path, Function<String, T> parse, String text) {
        this.path = path;
        this.parse = parse;
        this.judged = Optional.of(text);
        this.seen = judged;
        this.value = parse.apply(text);
    }

    /**
     * Reads a file for the first time.
     *
     * @param parse its {@link IllegalArgumentException} says what is wrong, and nothing of what must stay secret
     * @throws IllegalArgumentException it can't be used
     */
    public static <T> WatchedFile<T> open(Path path, Function<String, T> parse) {
        String text = read(path).orElseThrow(() -> new IllegalArgumentException(path + " can't be read"));
        try {
            return new WatchedFile<>(path, parse, text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        }
    }

    private static Optional<String> read(Path path) {
        try {
            return Optional.of(Files.readString(path));
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Reads the file again. */
    public synchronized void look() {
        Optional<String> now = read(path);
        if (now.equals(seen) && !now.equals(judged)) {
            judged = now;
            judge(now);
        }
        seen = now;
    }

    private void judge(Optional<String> text) {
        try {
            value = parse.apply(text.orElseThrow(() -> new IllegalArgumentException("it can't be read")));
            LOG.info("{} has changed, and counts", path);
        } catch (IllegalArgumentException e) {
            LOG.warn("{} has changed and can't be used, what it said before stays: {}", path, e.getMessage());
        }
    }

    @Override
    public T get() {
        return value;
    }
}
