package io.kvrouter.http.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.failover.BreakerSettings;
import io.kvrouter.http.engine.EngineProbe.Answer;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Many workers that are registered at once. Time is the test's; each check waits until the test answers it. */
class LargeFleetTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int WORKERS = 200;

    private final BlockingQueue<CompletableFuture<Answer>> checks = new LinkedBlockingQueue<>();
    private final BlockingQueue<Fleet> told = new LinkedBlockingQueue<>();

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void changesThatCameTogetherAreToldTogether() throws Exception {
        var listening = new CountDownLatch(1);
        register(fleet -> {
            told.add(fleet);
            await(listening);
        });
        answerAll();

        listening.countDown();

        assertThat(untilAllAreUp()).isLessThan(WORKERS / 10);
    }

    @Test
    void workersThatWereRegisteredTogetherAreNotCheckedTogetherForEver() throws Exception {
        register(told::add);
        answerAll();
        untilAllAreUp();

        ManualTime.get(KIT.system()).timePasses(INTERVAL.dividedBy(2));

        for (int i = 0; i < WORKERS / 4; i++) {
            next(checks);
        }
        assertThat(checks.size()).isLessThan(WORKERS / 2);
    }

    private void register(Consumer<Fleet> listener) {
        var probe = new EngineProbe() {
            @Override
            public CompletionStage<Answer> health(URI worker) {
                var answer = new CompletableFuture<Answer>();
                checks.add(answer);
                return answer;
            }

            @Override
            public CompletionStage<EngineFacts> facts(URI worker) {
                return CompletableFuture.completedFuture(EngineFacts.UNKNOWN);
            }
        };
        var settings = new HealthSettings(INTERVAL, 3, BreakerSettings.DEFAULT);
        KIT.spawn(FleetWatch.create(probe, settings, listener))
                .tell(new FleetWatch.Registered(IntStream.rangeClosed(1, WORKERS)
                        .mapToObj(LargeFleetTest::worker)
                        .toList()));
    }

    private void answerAll() throws InterruptedException {
        for (int i = 0; i < WORKERS; i++) {
            next(checks).complete(Answer.HEALTHY);
        }
    }

    /** How many fleets were told. */
    private int untilAllAreUp() throws InterruptedException {
        int fleets = 1;
        while (!next(told).workers().stream().allMatch(worker -> worker.state().equals("up"))) {
            fleets++;
        }
        return fleets;
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return Optional.ofNullable(queue.poll(20, TimeUnit.SECONDS)).orElseThrow();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Registration worker(int number) {
        return new Registration(
                new WorkerId("w" + number),
                URI.create("http://w:" + number),
                Registration.DEFAULT_GROUP,
                EngineFacts.UNKNOWN,
                Map.of(),
                false,
                Registration.Origin.API);
    }
}
