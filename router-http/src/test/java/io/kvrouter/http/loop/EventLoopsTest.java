package io.kvrouter.http.loop;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.testing.Relay;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.Upstream;
import io.kvrouter.http.upstream.UpstreamResponse;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EventLoopsTest {
    private static Plane plane;
    private static EventLoops loops;

    @BeforeAll
    static void start() {
        plane = new Plane();
        loops = EventLoops.of(plane.system());
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @Test
    void aMailboxRunsOnTheLoopThatCausedTheWork() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        ActorRef actor = plane.system()
                .actorOf(Props.create(Recorder.class, () -> new Recorder(threads))
                        .withDispatcher(EventLoops.DISPATCHER));

        for (EventLoop loop : loops.all()) {
            eventually("handled on " + loop, () -> {
                threads.clear();
                Thread there =
                        loop.submit(() -> tell(actor)).syncUninterruptibly().getNow();
                loop.submit(() -> {}).syncUninterruptibly();
                return threads.equals(Set.of(there));
            });
        }
    }

    /** A mailbox that is still busy elsewhere takes the message there, so it is tried until it was idle. */
    private static Thread tell(ActorRef actor) {
        actor.tell("work", ActorRef.noSender());
        return Thread.currentThread();
    }

    @Test
    void theLoopsOutliveADispatcherThatPausesAndEndWithTheSystem() throws Exception {
        Plane other = new Plane("kvrouter-loops.shutdown-timeout = 10 ms");
        EventLoops lasting = EventLoops.of(other.system());
        ActorRef actor = other.system()
                .actorOf(Props.create(Recorder.class, () -> new Recorder(Set.of()))
                        .withDispatcher(EventLoops.DISPATCHER));
        Patterns.gracefulStop(actor, Duration.ofSeconds(20))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        assertThat(lasting.here().isShuttingDown()).isFalse();

        other.close();

        eventually("ended", () -> lasting.all().stream().allMatch(EventLoop::isShuttingDown));
    }

    @Test
    void lagShowsALoopThatWasBlocked() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (LoopLag lag = LoopLag.watch(loops, Duration.ofMillis(10))) {
            EventLoop blocked = loops.all().get(1);
            blocked.execute(() -> await(release));
            long from = System.nanoTime();
            eventually(
                    "a while",
                    () -> System.nanoTime() - from > Duration.ofMillis(300).toNanos());
            release.countDown();

            eventually("seen", () -> lag.worstSinceLastRead().get(1).toMillis() >= 200);
        }
    }

    @Test
    void chunksAreCarriedOnTheLoops() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 50; i++) {
                peer.send("1\r\na\r\n");
                Thread.sleep(1);
            }
            peer.send("0\r\n\r\n").awaitClosed();
        })) {
            Upstream noting = request -> noting(plane.upstream().call(request), threads);
            int port =
                    plane.serve(new Relay(noting, worker.url(), plane.system())).port();
            try (Peer client = Peer.connect(port)) {
                client.send("GET / HTTP/1.1\r\nHost: r\r\n\r\n").readUntil("0\r\n\r\n");
            }
        }

        assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith(EventLoops.DISPATCHER));
    }

    private static Call noting(Call call, Set<String> threads) {
        return new Call() {
            @Override
            public CompletionStage<UpstreamResponse> response() {
                return call.response()
                        .thenApply(answer -> new UpstreamResponse(
                                answer.status(),
                                answer.reason(),
                                answer.headers(),
                                answer.length(),
                                answer.body().map(bytes -> {
                                    threads.add(Thread.currentThread().getName());
                                    return bytes;
                                })));
            }

            @Override
            public CompletionStage<Void> begun() {
                return call.begun();
            }

            @Override
            public CompletionStage<Void> ended() {
                return call.ended();
            }

            @Override
            public void abort() {
                call.abort();
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Notes the threads that it runs on. */
    private static final class Recorder extends AbstractActor {
        private final Set<Thread> threads;

        Recorder(Set<Thread> threads) {
            this.threads = threads;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .matchAny(message -> threads.add(Thread.currentThread()))
                    .build();
        }
    }
}
