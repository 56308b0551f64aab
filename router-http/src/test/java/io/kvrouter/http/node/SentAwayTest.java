package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What those hear for whom there is no room. */
@SuppressWarnings({"NullAway.Init", "FutureReturnValueIgnored"}) // each test fills its node first
class SentAwayTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"x\"}";
    private static final int LONG = 5_000_000;

    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestRouter router;
    private GatedEngine engine;

    /** A node with one worker that may have one request, and has it. */
    private Future<HttpResponse<String>> full(int queue, String wait) throws Exception {
        router = TestRouter.start(Map.of(
                "kvrouter.admission.requests-per-worker",
                "1",
                "kvrouter.admission.queue",
                Integer.toString(queue),
                "kvrouter.admission.queue-timeout",
                wait,
                "kvrouter.shutdown.drain",
                "30 s"));
        open.add(router);
        engine = new GatedEngine(router, "m", "a");
        open.add(engine);
        var running = send(BODY);
        eventually("it runs", () -> engine.now() == 1);
        return running;
    }

    @AfterEach
    void stop() throws Exception {
        if (engine != null) {
            engine.open();
        }
        for (AutoCloseable each : open) {
            each.close();
        }
        clients.shutdownNow();
    }

    private Future<HttpResponse<String>> send(String body, String... headers) {
        Callable<HttpResponse<String>> call = () -> router.complete(body, headers);
        return clients.submit(call);
    }

    private static String head(String more) {
        return "POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\nContent-Length: " + LONG
                + "\r\n" + more + "\r\n";
    }

    /** Sends a long body for as long as somebody takes it; counts what was taken. */
    private static void write(Peer client, AtomicLong taken) {
        byte[] piece = new byte[16 * 1024];
        try {
            for (int sent = 0; sent < LONG; sent += piece.length) {
                client.send(piece);
                taken.addAndGet(piece.length);
            }
        } catch (IOException e) {
            // the router has closed
        }
    }

    @Test
    void theirLongBodiesAreNotRead() throws Exception {
        var running = full(0, "20 s");
        var taken = new AtomicLong();
        int crowd = 20;
        List<Peer> refused = new ArrayList<>();
        for (int i = 0; i < crowd; i++) {
            Peer client = Peer.connectNarrow(router.apiPort()).send(head(""));
            refused.add(client);
            clients.execute(() -> write(client, taken));
        }

        for (Peer client : refused) {
            assertThat(client.readHead())
                    .startsWith("HTTP/1.1 429 ")
                    .contains("x-router-reason: at_capacity\r\n")
                    .containsPattern("Retry-After: [1-9][0-9]*\r\n")
                    .contains("Connection: close\r\n");
        }
        for (Peer client : refused) {
            client.awaitClosed();
        }

        assertThat(taken.get()).isLessThan((long) crowd * LONG / 5); // what the sockets on both sides have room for
        engine.open();
        assertThat(running.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(router.complete(BODY).statusCode()).isEqualTo(200);
    }

    @Test
    void whoAsksBeforehandIsNotToldToGoOn() throws Exception {
        full(0, "20 s");

        try (Peer client = Peer.connect(router.apiPort()).send(head("Expect: 100-continue\r\n"))) {
            assertThat(client.readHead()).startsWith("HTTP/1.1 429 ");
        }
    }

    @Test
    void aShortOneIsToldOnAConnectionThatGoesOn() throws Exception {
        full(0, "20 s");

        try (Peer client = Peer.connect(router.apiPort())) {
            for (int i = 0; i < 3; i++) {
                client.send(head("").replace("" + LONG, "" + BODY.length()) + BODY);
                assertThat(client.readMessage().head()).startsWith("HTTP/1.1 429 ");
            }
        }
    }

    @Test
    void aLongBodyWaitsUnreadAndIsServedWhenItsTurnComes() throws Exception {
        var running = full(10, "20 s");
        String body = "{\"model\":\"m\",\"prompt\":\"" + "y".repeat(1_000_000) + "\"}";
        var waits = send(body);
        eventually("it waits", () -> atDoor() == 1);

        engine.open();

        assertThat(running.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(waits.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(engine.bodies().getLast()).isEqualTo(body);
    }

    private int atDoor() {
        return router.managed("/router/admission")
                .path("waiting")
                .path("at_door")
                .asInt();
    }

    @Test
    void whoWaitsInVainIsTold() throws Exception {
        full(10, "200 ms");

        var late = router.complete(BODY);

        assertThat(late.statusCode()).isEqualTo(503);
        assertThat(late.headers().firstValue("x-router-reason")).contains("queue_timeout");
        assertThat(late.headers().firstValueAsLong("retry-after").orElse(0)).isPositive();
    }

    @Test
    void nobodyWaitsWhereThereIsNoWorker() throws Exception {
        full(10, "20 s");
        engine.open();
        router.remove("a");

        var refused = router.complete(BODY);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("x-router-reason")).contains("no_eligible_worker");
    }

    @Test
    void aNodeThatLeavesServesWhoWaits() throws Exception {
        var running = full(10, "20 s");
        var waits = send(BODY);
        eventually("it waits", () -> atDoor() == 1);

        var gone = clients.submit(router::leave);
        eventually("refuses", this::refuses);
        engine.open();

        assertThat(running.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(waits.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        gone.get(60, TimeUnit.SECONDS);
    }

    private boolean refuses() {
        try {
            Peer.connect(router.apiPort()).close();
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
