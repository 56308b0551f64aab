package io.kvrouter.bench.load;

import io.kvrouter.worker.Demand;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Workers that are only booked, never asked. */
final class BenchFleet {
    static final Demand DEMAND = new Demand(Registration.DEFAULT_GROUP, "m", Set.of());

    private static final EngineFacts FACTS = new EngineFacts(
            Set.of("m"),
            Set.of(),
            Optional.of(16),
            Optional.of(16_384L),
            Optional.of(1),
            Optional.of(1L),
            Optional.empty());

    private BenchFleet() {}

    static Fleet of(int workers) {
        return new Fleet(
                IntStream.range(0, workers).mapToObj(BenchFleet::worker).toList());
    }

    static WorkerId id(int number) {
        return new WorkerId("w" + number);
    }

    private static Worker worker(int number) {
        var registration = new Registration(
                id(number),
                URI.create("http://127.0.0.1:" + (1 + number)),
                Registration.DEFAULT_GROUP,
                FACTS,
                Map.of(),
                false,
                Registration.Origin.API);
        return new Worker(registration, EngineFacts.UNKNOWN, Worker.Health.UP, List.of());
    }
}
