package io.kvrouter.bench.proxy.load;

import io.kvrouter.bench.proxy.peer.Event;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long events were on their way, of those that came while it was switched on. Confined to the client's thread. */
final class Delays {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(LONGEST, DIGITS);
    private boolean on;

    void on(boolean measured) {
        on = measured;
    }

    double percentileMs(double percent) {
        return histogram.getValueAtPercentile(percent) / 1e6;
    }

    /**
     * Reads the events of a part of a stream whose time stands whole in it.
     *
     * @param before bytes of the stream before this part
     */
    void read(ByteBuf part, long before) {
        if (!on) {
            return;
        }
        long now = System.nanoTime();
        int begin = part.readerIndex() - (int) (before % Event.BYTES); // of the event that the part's first byte is of
        for (int at = begin + Event.TIME_AT; at + Event.TIME_DIGITS <= part.writerIndex(); at += Event.BYTES) {
            if (at >= part.readerIndex()) {
                histogram.recordValue(Math.clamp(now - Event.time(part, at), 0, LONGEST));
            }
        }
    }
}
