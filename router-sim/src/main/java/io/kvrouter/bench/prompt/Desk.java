package io.kvrouter.bench.prompt;

import io.kvrouter.booking.BookingDesk;
import io.kvrouter.booking.BookingSettings;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** A node's desk before a fleet whose engines publish no events: what it chose itself is what it knows. */
final class Desk {
    static final int BLOCK_SIZE = 64;
    private static final Demand DEMAND = new Demand(Registration.DEFAULT_GROUP, LongChat.MODEL, Set.of());
    private static final long CAPACITY = 16_384;

    private final BookingDesk desk = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(1));
    private long requests;

    Desk(int workers) {
        List<Worker> fleet = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            fleet.add(worker(i));
        }
        desk.fleet(new Fleet(fleet));
    }

    private static Worker worker(int number) {
        var facts = new EngineFacts(
                Set.of(LongChat.MODEL),
                Set.of(),
                Optional.of(BLOCK_SIZE),
                Optional.of(CAPACITY),
                Optional.of(1),
                Optional.of(1L),
                Optional.empty());
        var registration = new Registration(
                new WorkerId("w" + number),
                URI.create("http://127.0.0.1:" + (20_000 + number)),
                Registration.DEFAULT_GROUP,
                facts,
                Map.of(),
                false,
                Registration.Origin.API);
        return new Worker(registration, EngineFacts.UNKNOWN, Worker.Health.UP, List.of());
    }

    /** Selects and books. */
    void select(Prompt prompt) {
        requests++;
        desk.select(SelectionRequest.of(DEMAND, prompt), new ReservationId(requests), requests);
    }

    /** The last request ends. */
    void end() {
        desk.end(new ReservationId(requests), requests);
    }
}
