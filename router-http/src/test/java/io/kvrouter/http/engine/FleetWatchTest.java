package io.kvrouter.http.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.failover.BreakerSettings;
import io.kvrouter.http.engine.EngineProbe.Answer;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a node makes of its health checks. Time is the test's; each check waits until the test answers it. */
class FleetWatchTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
    private static final ManualTime TIME = ManualTime.get(KIT.system());
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final WorkerId W = new WorkerId("w");
    private static final Answer FAILED = Answer.failed("failed");
    private static final Answer REFUSED = Answer.refused("refused");
    private static final Registration WORKER = at("http://w:1");

    private final Probe probe = new Probe();
    private final TestProbe<Fleet> fleets = KIT.createTestProbe();
    private final ActorRef<FleetWatch.Command> watch = KIT.spawn(
            FleetWatch.create(probe, new HealthSettings(INTERVAL, 3, BreakerSettings.DEFAULT), fleets.ref()::tell));

    /** One check that the watch waits for. */
    private record Check(URI url, CompletableFuture<Answer> answer) {}

    private static final class Probe implements EngineProbe {
        final BlockingQueue<Check> checks = new LinkedBlockingQueue<>();
        volatile EngineFacts facts = FleetWatchTest.facts("m", Set.of(), 1);

        @Override
        public CompletionStage<Answer> health(URI worker) {
            var answer = new CompletableFuture<Answer>();
            checks.add(new Check(worker, answer));
            return answer;
        }

        @Override
        public CompletionStage<EngineFacts> facts(URI worker) {
            return CompletableFuture.completedFuture(facts);
        }
    }

    @AfterAll
    static void stopAll() {
        KIT.shutdownTestKit();
    }

    @AfterEach
    void stop() {
        KIT.stop(watch);
    }

    @Test
    void aWorkerIsPendingUntilItsFirstGoodCheck() throws Exception {
        register(WORKER);
        assertThat(state()).isEqualTo("pending");
        answer(FAILED);
        answerNext(REFUSED);
        fleets.expectNoMessage();

        answerNext(Answer.HEALTHY);

        assertThat(state()).isEqualTo("up");
    }

    @Test
    void aHealthyWorkerIsDownAfterThreeFailuresInARow() throws Exception {
        up();
        answerNext(FAILED);
        answerNext(FAILED);
        answerNext(Answer.HEALTHY);
        answerNext(FAILED);
        answerNext(FAILED);
        fleets.expectNoMessage();

        answerNext(FAILED);

        assertThat(state()).isEqualTo("down");
    }

    @Test
    void aRefusedConnectTakesAWorkerDownAtOnce() throws Exception {
        up();

        answerNext(REFUSED);

        assertThat(state()).isEqualTo("down");
    }

    @Test
    void aSuspectIsDownUntilItsNextGoodCheck() throws Exception {
        up();

        watch.tell(new FleetWatch.Suspect(W));
        assertThat(state()).isEqualTo("down");
        answerNext(Answer.HEALTHY);

        assertThat(state()).isEqualTo("up");
    }

    @Test
    void aDeadWorkerIsCheckedForEverAndNoMoreSeldomThanALivingOne() throws Exception {
        up();
        answerNext(REFUSED);
        assertThat(state()).isEqualTo("down");
        for (int check = 0; check < 20; check++) {
            answerAfterOneInterval(REFUSED);
        }
        answerAfterOneInterval(Answer.HEALTHY);

        assertThat(state()).isEqualTo("up");
    }

    /** It has heard the last answer when it publishes what it was told behind that. */
    private void answerAfterOneInterval(Answer answer) throws Exception {
        register(WORKER);
        fleets.receiveMessage();
        TIME.timePasses(INTERVAL);
        answer(answer);
    }

    @Test
    void aCheckThatBreaksCountsAsFailed() throws Exception {
        register(WORKER);
        fleets.receiveMessage();

        next().answer().completeExceptionally(new IllegalStateException("broken"));
        answerNext(Answer.HEALTHY);

        assertThat(state()).isEqualTo("up");
    }

    @Test
    void theResultOfAnOldUrlsCheckDoesNotCountForTheNewOne() throws Exception {
        register(WORKER);
        fleets.receiveMessage();
        var old = next();
        register(at("http://w:2"));
        fleets.receiveMessage();

        old.answer().complete(Answer.HEALTHY);
        fleets.expectNoMessage();
        var current = next();
        current.answer().complete(Answer.HEALTHY);

        assertThat(current.url()).isEqualTo(URI.create("http://w:2"));
        assertThat(state()).isEqualTo("up");
    }

    @Test
    void anotherUrlMakesTheWorkerPendingAgain() throws Exception {
        up();

        register(at("http://w:2"));

        assertThat(state()).isEqualTo("pending");
    }

    @Test
    void aWorkerThatIsDrainedKeepsItsHealth() throws Exception {
        up();

        register(WORKER.withDraining(true));
        assertThat(state()).isEqualTo("draining");
        register(WORKER);

        assertThat(state()).isEqualTo("up");
    }

    @Test
    void aRemovedWorkerIsNotCheckedAnyMore() throws Exception {
        up();

        register();
        assertThat(fleets.receiveMessage().workers()).isEmpty();
        TIME.timePasses(INTERVAL.multipliedBy(3));

        fleets.expectNoMessage();
        assertThat(probe.checks).isEmpty();
    }

    @Test
    void theFactsOfARestartedEngineAreAskedAgain() throws Exception {
        up();
        probe.facts = facts("m", Set.of("lora"), 2);

        answerNext(REFUSED);
        fleets.receiveMessage();
        answerNext(Answer.HEALTHY);

        var worker = worker();
        assertThat(worker.incarnation()).isEqualTo(2);
        assertThat(worker.serves("lora")).isTrue();
    }

    @Test
    void theFactsOfALivingEngineAreAskedNowAndThen() throws Exception {
        probe.facts = facts("m", Set.of("lora"), 1);
        up();
        probe.facts = facts("m", Set.of(), 1);

        for (int check = 0; check < 5; check++) {
            answerNext(Answer.HEALTHY);
        }

        assertThat(worker().serves("lora")).isFalse();
    }

    private void up() throws Exception {
        register(WORKER);
        fleets.receiveMessage();
        answer(Answer.HEALTHY);
        assertThat(state()).isEqualTo("up");
    }

    private void register(Registration... workers) {
        watch.tell(new FleetWatch.Registered(List.of(workers)));
    }

    private Check next() throws Exception {
        return Optional.ofNullable(probe.checks.poll(20, TimeUnit.SECONDS)).orElseThrow();
    }

    private void answer(Answer answer) throws Exception {
        next().answer().complete(answer);
    }

    /** The check after the next interval. */
    private void answerNext(Answer answer) throws Exception {
        Check check = null;
        while (check == null) { // the result before it may not have set the timer yet
            TIME.timePasses(INTERVAL);
            check = probe.checks.poll(10, TimeUnit.MILLISECONDS);
        }
        check.answer().complete(answer);
    }

    private Worker worker() {
        return fleets.receiveMessage().worker(W).orElseThrow();
    }

    private String state() {
        return worker().state();
    }

    private static Registration at(String url) {
        return new Registration(
                W,
                URI.create(url),
                Registration.DEFAULT_GROUP,
                EngineFacts.UNKNOWN,
                Map.of(),
                false,
                Registration.Origin.API);
    }

    private static EngineFacts facts(String model, Set<String> adapters, long incarnation) {
        return new EngineFacts(
                Set.of(model),
                adapters,
                Optional.of(16),
                Optional.empty(),
                Optional.empty(),
                Optional.of(incarnation),
                Optional.empty());
    }
}
