package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.session.SessionIdentity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The stream of binding updates, and bindings that are applied. */
class BindingUpdatesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static TestRouter router;
    private static TestEngine engine;
    private static String worker;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.selection-api.updates", "1000"));
        engine = new TestEngine("m");
        worker = router.register(engine.url(), "");
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        engine.close();
    }

    /** A reader of the stream, on a thread of its own; stops reading while it is told to. */
    private static final class Reader implements AutoCloseable {
        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), router.apiPort());
        private final Map<String, JsonNode> states = new HashMap<>();
        private final List<String> events = new CopyOnWriteArrayList<>();
        private String lastId = "";

        Reader(String lastEventId) throws IOException {
            String header = lastEventId.isEmpty() ? "" : "Last-Event-ID: " + lastEventId + "\r\n";
            String request = "GET /session_bindings/updates HTTP/1.1\r\nHost: x\r\n" + header + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        }

        Reader reading() {
            Thread.ofVirtual().start(this::read);
            return this;
        }

        private void read() {
            try (var lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
                String id = "";
                String event = "";
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("id: ")) {
                        id = line.substring(4);
                    } else if (line.startsWith("event: ")) {
                        event = line.substring(7);
                    } else if (line.startsWith("data: ")) {
                        take(event, JSON.readTree(line.substring(6)), id);
                    }
                }
            } catch (IOException closed) {
                // the test is over
            }
        }

        private synchronized void take(String event, JsonNode data, String id) {
            events.add(event + " " + data.path("state").asText());
            if (event.equals("binding")) {
                states.put(data.path("session").asText(), data);
            }
            lastId = id;
        }

        synchronized String lastId() {
            return lastId;
        }

        synchronized String state(String session) {
            var data = states.get(key(session));
            return data == null
                    ? "none"
                    : data.path("state").asText() + " " + data.path("version").asText();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void beginsWithASnapshotAndGoesOnWithEveryChange() throws Exception {
        String before = bind("u-before");
        try (var reader = new Reader("").reading()) {
            eventually("snapshot", () -> reader.events.contains("snapshot end"));
            assertThat(reader.events.getFirst()).isEqualTo("snapshot begin");
            assertThat(reader.state("u-before")).isEqualTo("bound " + before);

            String after = bind("u-after");
            eventually("bound", () -> reader.state("u-after").equals("bound " + after));
            end("u-before");
            eventually("removed", () -> reader.state("u-before").startsWith("removed "));
        }
    }

    @Test
    void anEventNamesTheSessionByItsKeyOnly() throws Exception {
        try (var reader = new Reader("").reading()) {
            bind("u-secret");

            eventually("bound", () -> reader.state("u-secret").startsWith("bound"));
            var event = Objects.requireNonNull(reader.states.get(key("u-secret")));
            assertThat(event.toString()).doesNotContain("u-secret");
            assertThat(event.path("worker_id").asText()).isEqualTo(worker);
            assertThat(event.path("deadline_ms").asLong()).isPositive();
        }
    }

    @Test
    void goesOnAfterACutAndMissesNothing() throws Exception {
        String lastId;
        try (var reader = new Reader("").reading()) {
            bind("u-cut");
            eventually("bound", () -> reader.state("u-cut").startsWith("bound"));
            lastId = reader.lastId();
        }
        end("u-cut");
        bind("u-meanwhile");

        try (var reader = new Reader(lastId).reading()) {
            eventually("bound", () -> reader.state("u-meanwhile").startsWith("bound"));
            eventually("removed", () -> reader.state("u-cut").startsWith("removed"));
            assertThat(reader.events).noneMatch(event -> event.startsWith("snapshot"));
        }
    }

    @Test
    void anIdThatIsNotKnownGetsASnapshotFirst() throws Exception {
        for (String id : List.of("nonsense", "00000000000000aa-1", "0000000000000000000000")) {
            try (var reader = new Reader(id).reading()) {
                eventually("snapshot", () -> reader.events.contains("snapshot end"));
                assertThat(reader.events.getFirst()).isEqualTo("snapshot begin");
            }
        }
    }

    /** What a reader does not take is not kept for it: when it reads again, it gets the newest state. */
    @Test
    void aSlowReaderComesToTheFinalStateOfEverySession() throws Exception {
        try (var reader = new Reader("")) { // reads nothing yet
            long version = 1L << 40;
            for (int round = 0; round < 40; round++) {
                for (int session = 0; session < 100; session++) {
                    apply("u-slow" + session, "\"worker_id\":\"" + worker + "\"", version + round * 2L);
                }
            }
            apply("u-slow99", "\"state\":\"removed\"", version + 1_000);

            reader.reading();

            eventually("removed", () -> reader.state("u-slow99").equals("removed " + (version + 1_000)));
            for (int session = 0; session < 99; session++) {
                String name = "u-slow" + session;
                eventually("bound", () -> reader.state(name).equals("bound " + (version + 78)));
            }
        }
    }

    @Test
    void anAppliedBindingIsTakenRefreshedReplacedOrIgnored() {
        assertThat(apply("u-applied", "\"worker_id\":\"w1\"", 1_000)).isEqualTo("taken bound w1 1000");
        assertThat(apply("u-applied", "\"worker_id\":\"w1\"", 1_000)).isEqualTo("refreshed bound w1 1000");
        assertThat(apply("u-applied", "\"worker_id\":\"w2\"", 1_000)).isEqualTo("ignored bound w1 1000");
        assertThat(apply("u-applied", "\"worker_id\":\"w2\"", 2_000)).isEqualTo("replaced bound w2 2000");
        assertThat(apply("u-applied", "\"worker_id\":\"w1\"", 1_500)).isEqualTo("ignored bound w2 2000");
        assertThat(apply("u-applied", "\"state\":\"removed\"", 3_000)).isEqualTo("replaced removed  3000");
        assertThat(apply("u-applied", "\"worker_id\":\"w2\"", 2_000)).isEqualTo("ignored removed  3000");
        assertThat(apply("u-applied", "\"worker_id\":\"w2\"", 4_000)).isEqualTo("replaced bound w2 4000");
    }

    @Test
    void anAppliedBindingIsFollowed() throws Exception {
        var answer = router.call(
                "/session_bindings",
                "{\"session_id\":\"u-followed\",\"model\":\"m\",\"worker_id\":\"" + worker
                        + "\",\"version\":\"4096\"}");
        assertThat(answer.path("session").asText()).isEqualTo(key("u-followed"));

        var turn = router.complete("{\"model\":\"m\",\"prompt\":\"x\"}", "x-session-id", "u-followed");

        assertThat(turn.headers().firstValue("x-router-decision")).contains("pinned");
    }

    private static String apply(String session, String binding, long version) {
        var answer = router.call(
                "/session_bindings",
                "{\"session\":\"" + key(session) + "\"," + binding + ",\"version\":" + version + "}");
        return answer.path("result").asText() + " " + answer.path("state").asText() + " "
                + answer.path("worker_id").asText() + " "
                + answer.path("version").asText();
    }

    /** Binds a session; answers the version. */
    private static String bind(String session) throws Exception {
        var answer = reserve(session, "");
        router.api("DELETE", "/reservations/" + answer.path("reservation_id").asText(), "");
        return answer.path("session").path("version").asText();
    }

    private static void end(String session) throws Exception {
        var answer = reserve(session, ",\"session_final\":true");
        router.api("DELETE", "/reservations/" + answer.path("reservation_id").asText(), "");
    }

    private static JsonNode reserve(String session, String more) {
        return router.call(
                "/select_and_reserve",
                "{\"model\":\"m\",\"token_ids\":[1],\"session_id\":\"" + session + "\"" + more + "}");
    }

    private static String key(String session) {
        return new SessionIdentity("default", "m", "", session).key().toString();
    }
}
