package io.kvrouter.http.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.failover.BreakerSettings;
import io.kvrouter.failover.Outcome;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.Worker.Health;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomesTest {
    private final List<String> told = new ArrayList<>();
    private final Outcomes outcomes =
            new Outcomes(BreakerSettings.DEFAULT, InstantSource.fixed(Instant.EPOCH), new Outcomes.Breakers() {
                @Override
                public void tripped(WorkerId worker) {
                    told.add("tripped");
                }

                @Override
                public void tried(WorkerId worker, Outcome outcome) {
                    told.add("tried " + outcome);
                }
            });

    private static Worker worker(Health health) {
        var registration = Registration.ofStatic(URI.create("http://w:1"));
        return new Worker(registration, EngineFacts.UNKNOWN, health, List.of());
    }

    private void report(int times, Health health, Outcome outcome) {
        for (int i = 0; i < times; i++) {
            outcomes.report(worker(health), outcome, System.nanoTime());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, ANSWERED",
        "304, ANSWERED",
        "400, NEUTRAL",
        "404, NEUTRAL",
        "413, NEUTRAL",
        "422, NEUTRAL",
        "429, NEUTRAL",
        "500, FAILED",
        "501, FAILED",
        "502, NEUTRAL",
        "503, NEUTRAL",
        "504, FAILED",
        "529, NEUTRAL"
    })
    void aStatusSpeaksForOrAgainstTheWorkerOrOfTheClientOnly(int status, Outcome outcome) {
        assertThat(Outcomes.of(status)).isEqualTo(outcome);
    }

    @ParameterizedTest
    @EnumSource(UpstreamFailure.class)
    void aFailureInTheMiddleIsCountedWithItsBegin(UpstreamFailure failure) {
        boolean neutral = Outcomes.of(failure, false) == Outcome.NEUTRAL;

        assertThat(Outcomes.of(failure, true)).isEqualTo(neutral ? Outcome.NEUTRAL : Outcome.BROKE_OFF);
    }

    @Test
    void aClientThatLeavesSaysNothingOfTheWorker() {
        assertThat(Outcomes.of(UpstreamFailure.ABORTED, true)).isEqualTo(Outcome.NEUTRAL);
    }

    @Test
    void onlyWhatOpensABreakerIsTold() {
        report(4, Health.UP, Outcome.FAILED);
        report(100, Health.UP, Outcome.NEUTRAL);
        assertThat(told).isEmpty();

        report(1, Health.UP, Outcome.FAILED);

        assertThat(told).containsExactly("tripped");
        assertThat(outcomes.count(Outcome.FAILED)).isEqualTo(5);
    }

    @Test
    void ofAWorkerOnTrialWhateverSaysSomethingIsTold() {
        report(1, Health.TRIAL, Outcome.NEUTRAL);
        report(1, Health.TRIAL, Outcome.ANSWERED);
        report(1, Health.TRIAL, Outcome.FAILED);

        assertThat(told).containsExactly("tried ANSWERED", "tried FAILED");
    }

    @Test
    void whatWasSentBeforeATrialBeganSaysNothingOfIt() {
        long before = System.nanoTime() - 1;
        outcomes.fleet(new Fleet(List.of(worker(Health.TRIAL))));
        outcomes.fleet(new Fleet(List.of(worker(Health.TRIAL)))); // the trial goes on
        long since = System.nanoTime();

        outcomes.report(worker(Health.TRIAL), Outcome.ANSWERED, before);
        outcomes.report(worker(Health.TRIAL), Outcome.BROKE_OFF, before);
        assertThat(told).isEmpty();

        outcomes.report(worker(Health.TRIAL), Outcome.ANSWERED, since);
        assertThat(told).containsExactly("tried ANSWERED");
    }

    @Test
    void noTrialBeforeSaysAnythingOfTheNext() {
        outcomes.fleet(new Fleet(List.of(worker(Health.TRIAL))));
        long first = System.nanoTime();
        outcomes.fleet(new Fleet(List.of(worker(Health.BROKEN))));
        outcomes.fleet(new Fleet(List.of(worker(Health.TRIAL))));

        outcomes.report(worker(Health.TRIAL), Outcome.FAILED, first - 1);

        assertThat(told).isEmpty();
    }

    @Test
    void callsToAWorkerThatIsBrokenAlreadyOrDownTellNothingNew() {
        report(10, Health.BROKEN, Outcome.FAILED);
        report(10, Health.DOWN, Outcome.FAILED);

        assertThat(told).isEmpty();
    }

    @Test
    void whatWasBeforeAWorkerWentDownIsForgotten() {
        report(4, Health.UP, Outcome.FAILED);
        outcomes.fleet(new Fleet(List.of(worker(Health.DOWN))));

        report(4, Health.UP, Outcome.FAILED);

        assertThat(told).isEmpty();
    }
}
