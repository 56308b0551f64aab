package io.kvrouter.http.accesslog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is appended to and put aside when it is long: {@code access.log.1} is what was written before it,
 * {@code access.log.2} what was written before that. For one thread.
 *
 * <p>One that can't be put aside is written on, beyond its size: a log that is too long is better than none. First it
 * becomes {@code access.log.0}, and only if that went the older ones make room; where they can't, it gets its name back.
 * What a process left as {@code .0} the next one puts where it belongs.
 */
class RotatedFile implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(RotatedFile.class);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Path file;
    private final long maxBytes;
    private final int files;
    private final InstantSource clock;
    private Instant nextRotation = Instant.MIN;
    private boolean stuck;
    private @Nullable FileChannel open;

    /**
     * Opens it, or makes it.
     *
     * @param maxBytes that one file may have, unless a single write has more
     * @param files that are kept, the one that is written included
     */
    RotatedFile(Path file, long maxBytes, int files, InstantSource clock) throws IOException {
        this.file = file;
        this.maxBytes = maxBytes;
        this.files = files;
        this.clock = clock;
        this.open = open();
        if (files > 1 && Files.isRegularFile(numbered(0))) {
            resume();
        }
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /** Writes all of it or, as far as the file system allows, nothing; after a failure the next call begins anew. */
    void append(byte[] bytes) throws IOException {
        FileChannel channel = open == null ? open() : open;
        open = channel;
        if (channel.size() > 0
                && channel.size() + bytes.length > maxBytes
                && !clock.instant().isBefore(nextRotation)) {
            channel = rotated(channel);
        }
        long before = channel.size();
        try {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        } catch (IOException e) {
            takeBack(channel, before, e);
            throw e;
        }
    }

    /** What was half written would be the beginning of the next line. */
    private void takeBack(FileChannel channel, long size, IOException failure) {
        open = null;
        try (channel) {
            channel.truncate(size);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** A new file, or the full one for want of it. */
    private FileChannel rotated(FileChannel full) throws IOException {
        FileChannel fresh;
        try {
            putAside();
            fresh = open();
            stuck = false;
        } catch (IOException e) {
            giveBack(e);
            complain(e);
            return full;
        }
        open = fresh;
        full.close();
        return fresh;
    }

    private void putAside() throws IOException {
        if (files == 1) {
            Files.deleteIfExists(file);
            return;
        }
        boolean left = Files.isRegularFile(numbered(0));
        if (!left && Files.exists(file)) {
            Files.move(file, numbered(0), StandardCopyOption.ATOMIC_MOVE);
            left = true;
        }
        if (left) {
            shift();
        }
    }

    /** Each file from {@code .0} on becomes the next older one, up to the first gap: nothing is lost but the oldest. */
    private void shift() throws IOException {
        int last = 1;
        while (last < files - 1 && Files.exists(numbered(last))) {
            last++;
        }
        for (int i = last; i > 0; i--) {
            Files.move(numbered(i - 1), numbered(i), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The file that is written has its own name again, if it can. */
    private void giveBack(IOException failure) {
        Path from = Files.isRegularFile(numbered(0)) ? numbered(0) : numbered(1);
        if (files > 1 && Files.notExists(file) && Files.isRegularFile(from)) {
            try {
                Files.move(from, file);
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private void resume() {
        try {
            shift();
        } catch (IOException e) {
            complain(e);
        }
    }

    /** Once an outage. */
    private void complain(IOException failure) {
        nextRotation = clock.instant().plus(AGAIN);
        if (!stuck) {
            LOG.warn(
                    "{} can't be put aside ({}: {}): it is written on, beyond its size",
                    file,
                    failure.getClass().getSimpleName(),
                    failure.getMessage());
        }
        stuck = true;
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }
}
