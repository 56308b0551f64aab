package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.upstream.UpstreamException;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Hands a body from the loop that reads it to the stream that carries it on. Everything waiting goes over in one
 * piece, and the reader is woken once when it had found nothing: a burst of small chunks costs one hand-over. It is woken
 * at the end too, even if it asks for nothing now.
 *
 * <p>Both sides mostly run on the same loop; the lock is for when they don't, and is never held while calling out.
 * What waits is bounded by {@link #HIGH} plus what the socket's read loop brings at once (64 KiB).
 */
final class BodyFeed {
    /** Above this the worker is no longer read. */
    static final int HIGH = 64 * 1024;

    /** Below this it is read again. Taking takes all, so it is reached whenever the reader comes. */
    static final int LOW = 16 * 1024;

    private static final byte[] NOTHING = {};

    private final Runnable resume;
    private byte[] waiting = NOTHING;
    private int size;
    private boolean paused;
    private boolean ended;
    private @Nullable UpstreamException failure;
    private @Nullable Runnable sleeper;
    private @Nullable Runnable whenEnded;

    /** The runnable lets the worker be read again, and is called on the reader's thread. */
    BodyFeed(Runnable resume) {
        this.resume = resume;
    }

    /** Takes over the readable bytes; false = enough for now. */
    boolean offer(ByteBuf bytes) {
        Runnable wake;
        boolean more;
        synchronized (this) {
            append(bytes);
            paused = paused || size > HIGH;
            more = !paused;
            wake = awaken();
        }
        if (wake != null) {
            wake.run();
        }
        return more;
    }

    /** No more bytes will come: a complete body without a failure, a broken one with it. Only the first end counts. */
    void end(@Nullable UpstreamException why) {
        Runnable wake;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            failure = why;
            sleeper = null;
            wake = whenEnded;
        }
        if (wake != null) {
            wake.run();
        }
    }

    /** Who reads, and wants to know of the end, however it came. */
    synchronized void reader(Runnable wokenAtTheEnd) {
        whenEnded = wokenAtTheEnd;
    }

    /** All that waits, or nothing: then the sleeper is run as soon as there is something to know. */
    ByteString take(Runnable whenNews) {
        ByteString taken;
        boolean goOn;
        synchronized (this) {
            if (size == 0) {
                sleeper = ended ? null : whenNews;
                return ByteString.emptyByteString();
            }
            taken = ByteString.fromArrayUnsafe(waiting, 0, size);
            waiting = NOTHING;
            size = 0;
            goOn = paused && size < LOW;
            paused = paused && !goOn;
        }
        if (goOn) {
            resume.run();
        }
        return taken;
    }

    /** Whether all bytes were taken and no more will come. */
    synchronized boolean drained() {
        return ended && size == 0;
    }

    /** Whether the reader is what the worker waits for. */
    synchronized boolean paused() {
        return paused;
    }

    /** Why the body is broken, if it is. */
    synchronized @Nullable UpstreamException failure() {
        return failure;
    }

    private void append(ByteBuf bytes) {
        int more = bytes.readableBytes();
        if (size + more > waiting.length) {
            waiting = Arrays.copyOf(waiting, size == 0 ? more : Math.max(size + more, 2 * waiting.length));
        }
        bytes.readBytes(waiting, size, more);
        size += more;
    }

    private @Nullable Runnable awaken() {
        Runnable wake = sleeper;
        sleeper = null;
        return wake;
    }
}
