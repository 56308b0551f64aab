package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.LoadSlice;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.SelectionSettings;
import io.kvrouter.selection.TestFleets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

/**
 * A fleet of identical workers and the nodes that select from it, in simulated time: requests with prompts of equal
 * length that have nothing in common, Poisson arrivals, exponential durations; every node tells the others its load
 * every so often, and they see it as much later.
 */
final class Herd {
    private static final int WORKERS = 64;
    private static final double ARRIVALS_PER_MS = 1;
    private static final double DURATION_MS = 500;
    private static final long PREFILL_MS = 100;
    private static final long END_MS = 6_000;
    private static final long WARM_MS = 2_000;

    private final Random random = new Random(17);
    private final List<BookingDesk> desks = new ArrayList<>();
    private final Queue<Event> events = new PriorityQueue<>();
    private final int[] running = new int[WORKERS];
    private final int lag;
    private long id;
    private double sum;
    private int samples;

    private record Event(double at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Double.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    Herd(int nodes, int lag, SelectionSettings selection) {
        this.lag = lag;
        for (int i = 0; i < nodes; i++) {
            var desk = new BookingDesk(
                    new BookingSettings(selection, 1_000, 1_000), () -> CacheView.EMPTY, new Random(i));
            desk.fleet(TestFleets.of(WORKERS));
            desks.add(desk);
        }
    }

    double run() {
        at(0, () -> arrive(0));
        for (int node = 0; node < desks.size(); node++) {
            int from = node;
            double phase = lag * random.nextDouble();
            if (lag > 0) at(phase, () -> tell(from, phase));
        }
        for (int t = (int) WARM_MS; t < END_MS; t += 10) {
            at(t, this::sample);
        }
        while (!events.isEmpty() && events.peek().at < END_MS) {
            events.remove().action.run();
        }
        return sum / samples;
    }

    private void at(double time, Runnable action) {
        events.add(new Event(time, id++, action));
    }

    private void arrive(double now) {
        int node = random.nextInt(desks.size());
        BookingDesk desk = desks.get(node);
        var reservation = new ReservationId(++id);
        var prompt = Prompt.ofText(id + " " + "z".repeat(64 * 20));
        var selected = (SelectionAnswer.Selected) desk.select(SelectionRequest.of(ANY, prompt), reservation, (long) now);
        int worker = Integer.parseInt(selected.worker().value().substring(1));
        running[worker]++;
        share(now, node);
        double prefilled = now + PREFILL_MS;
        at(prefilled, () -> { desk.prefillComplete(reservation, (long) prefilled); share(prefilled, node);});
        double ends = now - Math.log(1 - random.nextDouble()) * DURATION_MS;
        at(ends, () -> {
            desk.end(reservation, (long) ends);
            running[worker]--;
            share(ends, node);
        });
        double next = now - Math.log(1 - random.nextDouble()) / ARRIVALS_PER_MS;
        at(next, () -> arrive(next));
    }

    private void share(double now, int node) {
        if (lag == 0) {
            hear(node, desks.get(node).writer().changes((long) now));
        }
    }

    private void tell(int node, double now) {
        LoadSlice update = desks.get(node).writer().changes((long) now);
        LoadSlice whole = desks.get(node).writer().current();
        at(now + 2, () -> hear(node, whole));
        at(now + lag, () -> tell(node, now + lag));
    }

    private void hear(int node, LoadSlice update) {
        LoadSlice whole = desks.get(node).writer().current();
        for (int other = 0; other < desks.size(); other++) {
            if (other != node) {
                desks.get(other).peer(node, lag == 0 ? whole : update);
            }
        }
    }

    private void sample() {
        double mean = Arrays.stream(running).average().orElseThrow();
        sum += Arrays.stream(running).max().orElseThrow() / mean;
        samples++;
    }
}
