package io.kvrouter.http.accesslog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is appended to and put aside when it is long: {@code access.log.1} is what was written before it,
 * {@code access.log.2} what was written before that. For one thread.
 */
class RotatedFile implements Closeable {
    private final Path file;
    private final long maxBytes;
    private final int files;
    private @Nullable FileChannel open;

    /**
     * Opens it, or makes it.
     *
     * @param maxBytes that one file may have, unless a single write has more
     * @param files that are kept, the one that is written included
     */
    RotatedFile(Path file, long maxBytes, int files) throws IOException {
        this.file = file;
        this.maxBytes = maxBytes;
        this.files = files;
        this.open = open();
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /** Writes all of it or, as far as the file system allows, nothing; after a failure the next call begins anew. */
    void append(byte[] bytes) throws IOException {
        FileChannel channel = open == null ? open() : open;
        open = channel;
        long before = channel.size();
        if (before > 0 && before + bytes.length > maxBytes) {
            channel = rotated(channel);
            before = 0;
        }
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

    private FileChannel rotated(FileChannel full) throws IOException {
        open = null;
        full.close();
        for (int i = files - 1; i > 0; i--) {
            Path younger = i == 1 ? file : numbered(i - 1);
            if (Files.exists(younger)) {
                Files.move(younger, numbered(i), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (files == 1) {
            Files.delete(file);
        }
        FileChannel fresh = open();
        open = fresh;
        return fresh;
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
