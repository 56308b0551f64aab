package io.kvrouter.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
    private final SimulatedWorker worker = SimulatedWorker.start(SimSettings.DEFAULT);
    private final ClientThread thread = new ClientThread();
    private final Requests requests = new Requests(20, 4, false);

    @AfterEach
    void stop() {
        thread.close();
        worker.close();
    }

    @Test
    void everyRequestReachesTheWorkerOnceOverTheSameConnections() {
        try (var clients = ClosedLoop.connect(worker.url(), 4, thread);
                var log = new WorkerLog(worker.url())) {
            clients.run(requests.round(Row.DIRECT, worker.url()));
            log.clear();

            Round round = clients.run(requests.round(Row.DIRECT, worker.url()));

            assertThat(round.samples().count()).isEqualTo(20);
            assertThat(round.failed()).isZero();
            assertThat(log.counts()).isEqualTo(new WorkerLog.Counts(20, 20));
            assertThat(worker.openConnections()).isEqualTo(5); // the log's reader has one
        }
    }

    @Test
    void turnsOfASessionAreSpreadOverTheRound() {
        var round = requests.round(Row.PINNED, worker.url());

        assertThat(round.get(0)).isEqualTo(round.get(4)).isNotEqualTo(round.get(1));
    }

    @Test
    void firstTurnsAreOfNewSessions() {
        var rounds = requests.round(Row.FIRST_TURN, worker.url());
        rounds.addAll(requests.round(Row.FIRST_TURN, worker.url()));

        assertThat(rounds.stream().map(String::new)).doesNotHaveDuplicates();
    }

    @Test
    void aWorkerThatIsGoneFailsAllRequests() {
        try (var clients = ClosedLoop.connect(worker.url(), 4, thread)) {
            clients.run(requests.round(Row.DIRECT, worker.url())); // the worker has accepted all connections
            worker.restart();

            assertThat(clients.run(requests.round(Row.DIRECT, worker.url())).failed())
                    .isEqualTo(20);
        }
    }

    @Test
    void anErrorIsAFailure() {
        worker.answerWith(503, Duration.ofMinutes(1));

        try (var clients = ClosedLoop.connect(worker.url(), 4, thread)) {
            assertThat(clients.run(requests.round(Row.DIRECT, worker.url())).failed())
                    .isEqualTo(20);
        }
    }
}
