package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a killed node held for a caller that forwards itself is free, and its sessions stay where they are. */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class SelectionDeathTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static SimulatedFleet workers;
    private static NodeCluster cluster;

    @BeforeAll
    static void start() throws Throwable {
        workers = SimulatedFleet.start(2, 0, SimSettings.DEFAULT);
        var settings = Map.of(
                "kvrouter.worker-urls",
                workers.urls().stream().map(URI::toString).collect(Collectors.joining(",")));
        cluster = NodeCluster.start("selection-death", Collections.nCopies(3, settings));
        Management.onEach(
                cluster.nodes(), node -> assertThat(node.workers().values()).containsExactly("up", "up"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
        workers.close();
    }

    @Test
    void theReservationsOfAKilledNodeEndWithItAndTheirSessionsDoNot() throws Throwable {
        NodeProcess victim = cluster.node(2);
        var made = call(victim, "POST", "/select_and_reserve", prompt(",\"session_id\":\"s\""));
        String id = made.path("reservation_id").asText();
        for (NodeProcess node : cluster.nodes()) {
            eventually(() -> assertThat(requests(node)).isEqualTo(1));
            eventually(() -> assertThat(call(node, "POST", "/select", prompt(",\"session_id\":\"s\""))
                            .path("decision")
                            .asText())
                    .isEqualTo("pinned"));
        }

        victim.kill();

        for (NodeProcess node : cluster.without(victim)) {
            eventually(() -> assertThat(requests(node)).isZero());
            eventually(() -> assertThat(call(node, "DELETE", "/reservations/" + id, "")
                            .path("error")
                            .path("code")
                            .asText())
                    .isEqualTo("owner_gone"));
        }
        theSessionGoesOn(made);
    }

    private static void theSessionGoesOn(JsonNode made) throws Throwable {
        var later = call(cluster.node(0), "POST", "/select_and_reserve", prompt(",\"session_id\":\"s\""));
        assertThat(later.path("worker_id")).isEqualTo(made.path("worker_id"));
        assertThat(call(
                                cluster.node(1),
                                "DELETE",
                                "/reservations/" + later.path("reservation_id").asText(),
                                "")
                        .path("state")
                        .asText())
                .isEqualTo("ended");
        eventually(() -> assertThat(requests(cluster.node(1))).isZero());
    }

    private static String prompt(String more) {
        return "{\"model\":\"sim-model\",\"token_ids\":[1,2,3]" + more + "}";
    }

    private static long requests(NodeProcess node) throws Exception {
        long sum = 0;
        for (JsonNode load : call(node, "GET", "/loads", "").path(0).path("loads")) {
            sum += load.path("active_requests").asLong();
        }
        return sum;
    }

    private static JsonNode call(NodeProcess node, String method, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(node.api().resolve(path))
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return JSON.readTree(CLIENT.send(request, BodyHandlers.ofString()).body());
    }
}
