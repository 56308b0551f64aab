package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.SelectionSettings;
import io.kvrouter.selection.TestFleets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

/**
 * A fleet of identical workers and the nodes that select from it, in simulated time: requests with prompts of equal
 * length that have nothing in common, Poisson arrivals, exponential durations. Every node tells the others its load once
 * in the lag; with none they see every change at once.
 */
final class Herd {
    private static final int WORKERS = 64;
    private static final double ARRIVALS_PER_MS = 1;
    private static final double DURATION_MS = 500;
    private static final double PREFILL_MS = 100;
    private static final double WARM_MS = 2_000;
    private static final double END_MS = 6_000;
    private static final double SAMPLE_MS = 10;
    private static final double WAY_MS = 2;

    private final Random random = new Random(17);
    private final List<BookingDesk> desks = new ArrayList<>();
    private final Queue<Event> events = new PriorityQueue<>();
    private final int[] running = new int[WORKERS];
    private final int lagMs;
    private double now;
    private long lastId;
    private double sum;
    private int samples;

    private record Event(double at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    Herd(int nodes, int lagMs, SelectionSettings selection) {
        this.lagMs = lagMs;
        for (int i = 0; i < nodes; i++) {
            var settings = new BookingSettings(selection, 1_000, 1_000);
            var desk = new BookingDesk(settings, () -> CacheView.EMPTY, new Random(i));
            desk.fleet(TestFleets.of(WORKERS));
            desks.add(desk);
        }
    }

    /** Requests in flight on the busiest worker, against the mean of all, averaged over time. */
    double busiestAgainstMean() {
        in(0, this::arrive);
        in(WARM_MS, this::sample);
        for (int i = 0; i < desks.size() && lagMs > 0; i++) {
            int node = i;
            in(lagMs * random.nextDouble(), () -> tell(node));
        }
        for (Event next = events.remove(); next.at < END_MS; next = events.remove()) {
            now = next.at;
            next.action.run();
        }
        return sum / samples;
    }

    private void in(double time, Runnable action) {
        events.add(new Event(now + time, lastId++, action));
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    private void arrive() {
        int node = random.nextInt(desks.size());
        BookingDesk desk = desks.get(node);
        var id = new ReservationId(++lastId);
        var prompt = Prompt.ofText(String.format(Locale.ROOT, "%020d", id.value()) + "z".repeat(1_260));
        var answer = desk.select(SelectionRequest.of(ANY, prompt), id, (long) now);
        int worker = Integer.parseInt(
                ((SelectionAnswer.Selected) answer).worker().value().substring(1));
        running[worker]++;
        tellAtOnce(node);
        in(PREFILL_MS, () -> {
            desk.prefillComplete(id, (long) now);
            tellAtOnce(node);
        });
        in(exponential(DURATION_MS), () -> {
            desk.end(id, (long) now);
            running[worker]--;
            tellAtOnce(node);
        });
        in(exponential(1 / ARRIVALS_PER_MS), this::arrive);
    }

    private void tellAtOnce(int node) {
        if (lagMs == 0) {
            hear(node, update(node));
        }
    }

    private void tell(int node) {
        LoadSlice told = update(node);
        in(WAY_MS, () -> hear(node, told));
        in(lagMs, () -> tell(node));
    }

    private LoadSlice update(int node) {
        var writer = desks.get(node).writer();
        writer.changes((long) now);
        return writer.current();
    }

    private void hear(int from, LoadSlice slice) {
        for (int to = 0; to < desks.size(); to++) {
            if (to != from) {
                desks.get(to).peer(from, slice);
            }
        }
    }

    private void sample() {
        double mean = Arrays.stream(running).average().orElseThrow();
        sum += Arrays.stream(running).max().orElseThrow() / mean;
        samples++;
        in(SAMPLE_MS, this::sample);
    }
}
