package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.admission.CallerShare;
import io.kvrouter.booking.AdmissionWorld.At;
import io.kvrouter.booking.AdmissionWorld.Client;
import io.kvrouter.selection.TestFleets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that do anything at any time, against the plain counts that they add up to. */
class AdmissionModelTest {
    private static final int TRIES = 100_000;
    private static final int WORKERS = 3;

    /** Without the caps of workers, with them, and with both. */
    @ParameterizedTest
    @CsvSource({"2147483647, 2, 5", "4, 2147483647, 5", "4, 2, 5", "1, 1, 3", "2147483647, 1, 0"})
    void losesNoPermitAndGivesNoneTwiceWhateverClientsDo(int requests, int perWorker, int queue) {
        var world = new AdmissionWorld(new AdmissionSettings(requests, perWorker, queue, 50), WORKERS);
        var random = new Random(requests + 31L * perWorker);
        int workers = WORKERS;
        for (int i = 0; i < TRIES; i++) {
            if (random.nextInt(200) == 0) {
                workers = random.nextInt(WORKERS + 1);
                world.fleet(TestFleets.of(workers));
            } else {
                step(world, random);
            }
            world.hearsTheOffice();
            while (world.clients.removeIf(AdmissionModelTest::settle)) {} // whose going may let others in, and nowhere
            check(world, workers);
        }
        world.fleet(TestFleets.of(WORKERS));
        world.clients.forEach(Client::leaves);
        world.clients.clear();

        assertThat(fits(world)).isEqualTo(Math.min(requests, (long) perWorker * WORKERS));
    }

    private static void step(AdmissionWorld world, Random random) {
        var clients = world.clients;
        int what = random.nextInt(10);
        if (clients.isEmpty() || what < 3) {
            boolean pinned = random.nextBoolean();
            var of = new CallerShare("c" + random.nextInt(3), 1 + random.nextInt(2));
            world.comes(of, random.nextInt(3), pinned ? Optional.of(id(random.nextInt(WORKERS))) : Optional.empty());
            return;
        }
        Client client = clients.get(random.nextInt(clients.size()));
        switch (what) {
            case 3, 4, 5 -> client.asks();
            case 6 -> world.pass(random.nextInt(20));
            case 7 -> leavesThenIsHeardLate(client, random);
            case 8 -> {
                if (client.at == At.WORKER) {
                    client.triesAnother();
                }
            }
            default -> client.leaves();
        }
    }

    /** Its question was under way when its client went. */
    private static void leavesThenIsHeardLate(Client client, Random random) {
        client.leaves();
        if (random.nextBoolean()) {
            client.ask();
        }
    }

    /** Who got nowhere goes, as each does. */
    private static boolean settle(Client client) {
        if (client.at == At.SENT_AWAY || client.at == At.REFUSED) {
            client.leaves();
        }
        return client.at == At.OVER;
    }

    private static void check(AdmissionWorld world, int workers) {
        var settings = world.settings;
        long inside = world.at(At.READING) + world.at(At.WORKER);
        assertThat(inside)
                .isLessThanOrEqualTo(settings.requests())
                .isEqualTo(world.desk.view().inside());
        assertThat(world.at(At.DOOR) + world.at(At.LINE)).isLessThanOrEqualTo(settings.queue());
        IntStream.range(0, WORKERS)
                .forEach(i -> assertThat(world.on(id(i))).isLessThanOrEqualTo(settings.workerRequests()));
        assertThat(idle(world, workers, inside)).isEmpty();
    }

    /** Those who wait for what is free. */
    private static List<Client> idle(AdmissionWorld world, int workers, long inside) {
        var settings = world.settings;
        if (inside >= settings.requests()) {
            return List.of();
        }
        long room = (long) workers * settings.workerRequests();
        boolean doorOpen = inside < (room == 0 ? Long.MAX_VALUE : room);
        return world.clients.stream()
                .filter(c -> c.at == At.DOOR ? doorOpen : c.at == At.LINE && hasRoom(world, c, workers))
                .toList();
    }

    /** Also one that has no worker to wait for. */
    private static boolean hasRoom(AdmissionWorld world, Client client, int workers) {
        var mayGo = IntStream.range(0, workers)
                .mapToObj(TestFleets::id)
                .filter(id -> !client.excluded.contains(id))
                .filter(id -> !client.excluded.isEmpty()
                        || client.pinned.map(id::equals).orElse(true))
                .toList();
        return mayGo.isEmpty() || mayGo.stream().anyMatch(id -> world.on(id) < world.settings.workerRequests());
    }

    /** How many run when more than enough come. */
    private static long fits(AdmissionWorld world) {
        int many = 2 * WORKERS * Math.min(world.settings.requests(), world.settings.workerRequests());
        IntStream.range(0, Math.min(many, 100)).forEach(i -> world.runs(0));
        return world.at(At.WORKER);
    }
}
