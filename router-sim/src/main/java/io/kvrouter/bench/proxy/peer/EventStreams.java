package io.kvrouter.bench.proxy.peer;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * All streams of an engine, by what moves them on: their pace, a beat from outside, or that they can be written to.
 * Confined to the engine's loop.
 */
final class EventStreams {
    /** What comes due within one tick is one burst over many connections, as is what an engine's step makes. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Spreads streams that begin together over their pace: no two multiples of the golden section lie close. */
    private static final double SPREAD = 0.6180339887;

    private final EventLoop loop;
    private final PriorityQueue<EventStream> paced = new PriorityQueue<>();
    private final List<EventStream> held = new ArrayList<>();
    private final Deque<EventStream> eager = new ArrayDeque<>();
    private long begun;
    private long events;
    private boolean ticking;
    private boolean turning;

    EventStreams(EventLoop loop) {
        this.loop = loop;
    }

    long events() {
        return events;
    }

    /** Sends its first event now, and each other one so much later. */
    void pace(EventStream stream, long betweenNanos) {
        send(stream);
        double part = begun++ * SPREAD % 1;
        stream.pace(System.nanoTime() + (long) (betweenNanos * part), betweenNanos);
        if (!stream.over()) {
            paced.add(stream);
        }
        if (!ticking) {
            ticking = true;
            tick();
        }
    }

    private void tick() {
        long now = System.nanoTime();
        while (!paced.isEmpty() && paced.peek().due(now)) {
            EventStream next = paced.remove();
            send(next);
            if (!next.over()) {
                paced.add(next);
            }
        }
        ticking = !paced.isEmpty();
        if (ticking) {
            var unused = loop.schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Sends its first event now, and one for each beat. */
    void hold(EventStream stream) {
        send(stream);
        held.add(stream);
    }

    /** Sends an event of each stream that waits for it; says how many. */
    int beat() {
        held.removeIf(EventStream::over);
        held.forEach(this::send);
        return held.size();
    }

    /** Sends its events as fast as they are taken, in turn with other streams. */
    void hurry(EventStream stream) {
        eager.add(stream);
        if (!turning) {
            turning = true;
            loop.execute(this::turn);
        }
    }

    /** One event of each; a stream that can't be written to waits until it is said to hurry again. */
    private void turn() {
        for (int i = eager.size(); i > 0; i--) {
            EventStream next = eager.remove();
            if (!next.over() && next.writable()) {
                send(next);
                eager.add(next);
            }
        }
        turning = !eager.isEmpty();
        if (turning) {
            loop.execute(this::turn);
        }
    }

    private void send(EventStream stream) {
        if (!stream.over()) {
            events++;
            stream.send();
        }
    }
}
