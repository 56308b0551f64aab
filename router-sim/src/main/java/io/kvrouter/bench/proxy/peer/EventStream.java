package io.kvrouter.bench.proxy.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** An answer of events under way. Confined to its engine's loop. */
final class EventStream implements Comparable<EventStream> {
    private static final int FRAME = 64;

    private final Channel channel;
    private final Runnable whenDone;
    private int left;
    private long betweenNanos;
    private long dueNanos;

    /** @param whenDone the last event went out */
    EventStream(Channel channel, int events, Runnable whenDone) {
        this.channel = channel;
        this.left = events;
        this.whenDone = whenDone;
    }

    /** The next event is due then, and each other one so much later. */
    void pace(long firstNanos, long between) {
        dueNanos = firstNanos;
        betweenNanos = between;
    }

    boolean over() {
        return left == 0 || !channel.isActive();
    }

    boolean writable() {
        return channel.isWritable();
    }

    boolean due(long now) {
        return dueNanos - now <= 0;
    }

    /** Sends an event in a packet of its own; after the last one, the end. */
    void send() {
        ByteBuf out = channel.alloc().directBuffer(Event.BYTES + FRAME);
        Event.write(out, System.nanoTime());
        dueNanos += betweenNanos;
        left--;
        if (left == 0) {
            Event.writeDone(out);
        }
        var unused = channel.writeAndFlush(out, channel.voidPromise());
        if (left == 0) {
            whenDone.run();
        }
    }

    @Override
    public int compareTo(EventStream other) {
        return Long.signum(dueNanos - other.dueNanos);
    }
}
