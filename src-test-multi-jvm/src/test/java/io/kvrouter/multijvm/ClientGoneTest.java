package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client that leaves frees its worker at once, wherever its answer was, and its load on all nodes. */
@ExtendWith(SharedCluster.class)
@SuppressWarnings("NullAway.Init") // JUnit sets them
class ClientGoneTest {
    private static final Logger LOG = LoggerFactory.getLogger(ClientGoneTest.class);
    private static final String WORKER = "gone-0";
    private static final long PROMISED_MS = 1_000;

    private static NodeCluster cluster;
    private static WorkerGroup workers;

    @BeforeAll
    static void start(NodeCluster shared) throws Throwable {
        cluster = shared;
        workers = WorkerGroup.start(cluster, "gone", 1, 1);
    }

    @AfterAll
    static void stop() throws Exception {
        workers.close();
    }

    @Test
    void inTheMiddleOfAStream() throws Throwable {
        leave("stream", workers.session("stream").streaming(Chat.ENDLESS), "data:");
    }

    @Test
    void beforeTheFirstByteOfASlowAnswer() throws Throwable {
        leave("slow", workers.session("slow").with("x-sim-delay-ms", "600000"), "");
    }

    @Test
    void beforeTheFirstByteOfAnAnswerThatNeverComes() throws Throwable {
        leave("stall", workers.session("stall").with("x-sim-stall", "1"), "");
    }

    /** Through each node once, leaving when the answer holds that text; the median of the three times is judged. */
    private static void leave(String session, Chat chat, String seen) throws Throwable {
        List<Long> times = new ArrayList<>();
        for (NodeProcess node : cluster.nodes()) {
            long leftMs;
            try (Socket client = send(chat, node)) {
                int sent = times.size() + 1;
                eventually(() -> assertThat(workers.requests(WORKER, session)).hasSize(sent));
                readUntil(client, seen);
                Management.onEach(
                        cluster.nodes(),
                        each -> assertThat(each.requests(WORKER)).isEqualTo(1));
                leftMs = System.currentTimeMillis();
            }
            eventually(() -> assertThat(last(session).path("outcome").asText()).isEqualTo("client_gone"));
            times.add(last(session).path("ended_ms").asLong() - leftMs);
            workers.awaitFree();
        }
        LOG.info("{}: the worker saw its client leave after {} ms", session, times);
        assertThat(times.stream().sorted().toList().get(1)).isLessThan(PROMISED_MS);
    }

    private static JsonNode last(String session) {
        return workers.requests(WORKER, session).getLast();
    }

    private static Socket send(Chat chat, NodeProcess node) throws IOException {
        var socket = new Socket(node.api().getHost(), node.api().getPort());
        socket.getOutputStream().write(chat.http().getBytes(UTF_8));
        return socket;
    }

    private static void readUntil(Socket client, String seen) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(seen) < 0) {
            int next = client.getInputStream().read();
            assertThat(next).as("answer so far: %s", text).isNotNegative();
            text.append((char) next);
        }
    }
}
