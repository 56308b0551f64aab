package io.kvrouter.http.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.failover.BreakerSettings;
import io.kvrouter.failover.Outcome;
import io.kvrouter.http.engine.EngineProbe.Answer;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node makes of requests that fail at a worker whose health checks are good. Time is the test's. */
class BreakerWatchTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
    private static final ManualTime TIME = ManualTime.get(KIT.system());
    private static final BreakerSettings BREAKER = BreakerSettings.DEFAULT;
    private static final Duration STEP = BREAKER.slowStart().dividedBy(6);
    private static final Duration LONG = Duration.ofHours(1);

    private final TestProbe<Fleet> fleets = KIT.createTestProbe();
    private final Checks checks = new Checks();
    private final ActorRef<FleetWatch.Command> watch =
            KIT.spawn(FleetWatch.create(checks, new HealthSettings(LONG, 3, BREAKER), fleets.ref()::tell));
    private Fleet fleet = Fleet.EMPTY;

    /** Every worker is healthy, and says so when the test wants it. */
    private static final class Checks implements EngineProbe {
        private volatile CompletableFuture<Answer> answer = CompletableFuture.completedFuture(Answer.HEALTHY);

        @Override
        public CompletionStage<Answer> health(URI worker) {
            return answer;
        }

        @Override
        public CompletionStage<EngineFacts> facts(URI worker) {
            return CompletableFuture.completedFuture(EngineFacts.UNKNOWN);
        }
    }

    @AfterAll
    static void stopAll() {
        KIT.shutdownTestKit();
    }

    @BeforeEach
    void fourWorkers() {
        register("a", "b", "c", "d");
    }

    @AfterEach
    void stop() {
        KIT.stop(watch);
    }

    private void register(String... ids) {
        watch.tell(new FleetWatch.Registered(
                Arrays.stream(ids).map(BreakerWatchTest::at).toList()));
        while (fleet.workers().size() != ids.length
                || !fleet.workers().stream().allMatch(w -> w.state().equals("up"))) {
            fleet = fleets.receiveMessage();
        }
    }

    private static Registration at(String id) {
        var facts = new EngineFacts(
                Set.of(id.equals("other") ? "n" : "m"),
                Set.of(),
                Optional.of(16),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new Registration(
                new WorkerId(id),
                URI.create("http://" + id + ":1"),
                Registration.DEFAULT_GROUP,
                facts,
                Map.of(),
                false,
                Registration.Origin.API);
    }

    private void trip(String id) {
        watch.tell(new FleetWatch.Tripped(new WorkerId(id)));
    }

    private void tried(Outcome outcome) {
        watch.tell(new FleetWatch.Tried(new WorkerId("a"), outcome));
    }

    /** Worker a in the next fleet that is told. */
    private Worker next() {
        return fleets.receiveMessage().worker(new WorkerId("a")).orElseThrow();
    }

    @Test
    void aBrokenWorkerTakesNothingAndSaysSo() {
        trip("a");

        var worker = next();
        assertThat(worker.state()).isEqualTo("broken");
        assertThat(worker.available()).isFalse();
        assertThat(worker.warnings()).anyMatch(warning -> warning.contains("answers failed"));
    }

    @Test
    void afterItsTimeOneRequestIsOnTrial() {
        trip("a");
        next();
        TIME.expectNoMessageFor(BREAKER.open().minusMillis(1), fleets);

        TIME.timePasses(Duration.ofMillis(1));

        var worker = next();
        assertThat(worker.state()).isEqualTo("trial");
        assertThat(worker.available()).isTrue();
        assertThat(worker.allowance()).isEqualTo(1);
    }

    @Test
    void anAnsweredTrialLetsTheWorkerStartSlowly() {
        onTrial();

        tried(Outcome.ANSWERED);

        assertThat(next().allowance()).isEqualTo(2);
        for (int allowance = 4; allowance <= 32; allowance *= 2) {
            TIME.timePasses(STEP);
            assertThat(next().allowance()).isEqualTo(allowance);
        }
        TIME.timePasses(STEP);
        assertThat(next().limited()).isFalse();
    }

    @Test
    void aTrialThatFailsOpensItForTwiceTheTime() {
        onTrial();

        tried(Outcome.FAILED);

        assertThat(next().state()).isEqualTo("broken");
        TIME.expectNoMessageFor(BREAKER.open().multipliedBy(2).minusMillis(1), fleets);
        TIME.timePasses(Duration.ofMillis(1));
        assertThat(next().state()).isEqualTo("trial");
    }

    @Test
    void neverMoreThanHalfOfAModelsWorkersAreBroken() {
        trip("d");
        fleets.receiveMessage();
        trip("c");
        fleets.receiveMessage();

        trip("a");

        fleets.expectNoMessage();
    }

    @Test
    void theOnlyWorkerOfItsModelIsNeverBroken() {
        register("a", "b", "other");

        trip("other");

        fleets.expectNoMessage();
    }

    @Test
    void aWorkerThatWasDownStartsSlowlyWhateverItsBreakerWas() {
        trip("a");
        next();
        // An answer amid the hour would let the slow start take its first step before the fleet is told.
        checks.answer = new CompletableFuture<>();

        watch.tell(new FleetWatch.Suspect(new WorkerId("a")));
        assertThat(next().state()).isEqualTo("down");
        TIME.timePasses(LONG);
        checks.answer.complete(Answer.HEALTHY);

        Worker back = next();
        while (!back.state().equals("up")) {
            back = next();
        }
        assertThat(back.allowance()).isEqualTo(1);
    }

    @Test
    void aWorkerThatAsksForRestGetsItAndIsNotBroken() {
        watch.tell(new FleetWatch.Rest(new WorkerId("a"), Duration.ofSeconds(7)));
        var resting = next();
        assertThat(resting.state()).isEqualTo("up");
        assertThat(resting.allowance()).isZero();

        TIME.timePasses(Duration.ofSeconds(6));
        watch.tell(new FleetWatch.Rest(new WorkerId("a"), Duration.ofSeconds(3)));
        TIME.expectNoMessageFor(Duration.ofMillis(2_900), fleets);
        TIME.timePasses(Duration.ofMillis(100));

        assertThat(next().limited()).isFalse();
    }

    @Test
    void whatIsToldOfWorkersThatAreGoneDoesNoHarm() {
        register("b", "c");
        trip("a");
        tried(Outcome.FAILED);
        watch.tell(new FleetWatch.Rest(new WorkerId("a"), Duration.ofSeconds(7)));

        fleets.expectNoMessage();
    }

    private void onTrial() {
        trip("a");
        next();
        TIME.timePasses(BREAKER.open());
        next();
    }
}
