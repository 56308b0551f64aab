package io.kvrouter.bench.load;

import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.Workload;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.load.ReservationId;
import io.kvrouter.worker.Demand;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Books at a constant rate on random workers, completes each prefill halfway, and ends each booking after its time. */
final class BookingStream implements AutoCloseable {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long CONTEXT = 2_000;
    private static final long FRESH = 200;

    private final LoadDesk desk;
    private final Demand demand;
    private final LoadShape shape;
    private final RandomGenerator random;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Running> prefilling = new ConcurrentLinkedQueue<>();
    private final Queue<Running> decoding = new ConcurrentLinkedQueue<>();
    private final long start = System.nanoTime();
    private long made;
    private volatile boolean booking = true;

    private record Running(ReservationId id, long since) {}

    BookingStream(LoadDesk desk, Demand demand, LoadShape shape, RandomGenerator random) {
        this.desk = desk;
        this.demand = demand;
        this.shape = shape;
        this.random = random;
        var unused = timer.scheduleAtFixedRate(this::step, 1, 1, TimeUnit.MILLISECONDS);
    }

    private void step() {
        long now = System.nanoTime();
        long due = booking ? (long) ((now - start) * shape.ratePerNode() / NANOS_PER_SECOND) : made;
        for (; made < due; made++) {
            var pin = new Pin(demand, BenchFleet.id(random.nextInt(shape.workers())), 0);
            desk.reserve(pin, new Workload.Estimated(CONTEXT, FRESH), new Ticket(Ticket.NO_PRIORITY))
                    .thenAccept(answer -> booked(answer, now));
        }
        if (booking) {
            long half = shape.lasting().toNanos() / 2;
            for (Running next; (next = prefilling.peek()) != null && now - next.since > half; prefilling.remove()) {
                desk.prefillComplete(next.id);
                decoding.add(next);
            }
            for (Running next; (next = decoding.peek()) != null && now - next.since > 2 * half; decoding.remove()) {
                desk.end(next.id);
            }
        }
    }

    private void booked(SelectionAnswer answer, long since) {
        if (answer instanceof SelectionAnswer.Selected selected) {
            prefilling.add(new Running(selected.reservation(), since));
        }
    }

    /** No more bookings; those that run, run on. */
    void hold() {
        booking = false;
    }

    /** Ends all that run. */
    void endAll() {
        prefilling.forEach(running -> desk.end(running.id));
        decoding.forEach(running -> desk.end(running.id));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
