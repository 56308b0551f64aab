package io.kvrouter.selection;

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

/** Workers for tests: w0, w1, ... which serve the model m with blocks of 16 tokens. */
public final class TestFleets {
    public static final Demand ANY = new Demand(Registration.DEFAULT_GROUP, "m", Set.of());

    private TestFleets() {}

    public static WorkerId id(int number) {
        return new WorkerId("w" + number);
    }

    public static Fleet of(int workers) {
        return new Fleet(
                IntStream.range(0, workers).mapToObj(i -> worker(i, 1, 1)).toList());
    }

    public static Worker worker(int number, int ranks, long incarnation) {
        var facts = new EngineFacts(
                Set.of("m"),
                Set.of(),
                Optional.of(16),
                Optional.of(1_000L),
                Optional.of(ranks),
                Optional.of(incarnation),
                Optional.empty());
        var registration = new Registration(
                id(number),
                URI.create("http://127.0.0.1:" + (9_000 + number)),
                Registration.DEFAULT_GROUP,
                facts,
                Map.of(),
                false,
                Registration.Origin.API);
        return new Worker(registration, EngineFacts.UNKNOWN, Worker.Health.UP, List.of());
    }
}
