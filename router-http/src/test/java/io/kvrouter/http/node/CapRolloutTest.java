package io.kvrouter.http.node;

import static io.kvrouter.http.node.TestCluster.ask;
import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cap of workers that comes with a rolling restart: not all nodes have it yet. */
class CapRolloutTest {
    @Test
    void aNodeWithACapServesBesideAnOlderOneWithout() throws Exception {
        try (var cluster = TestCluster.start(
                        2, node -> node == 0 ? Map.of() : Map.of("kvrouter.admission.requests-per-worker", "2"));
                var engine = new TestEngine("m")) {
            engine.follow(TestEngine.OK);
            cluster.first().register(engine.url(), "");
            cluster.awaitWorkers();
            TestRouter capped = cluster.node(1);

            assertThat(ask(capped, "any").statusCode()).isEqualTo(200);
            eventually(
                    "its part",
                    () -> capped.managed("/router/admission").path("door").asInt() == 2);
            assertThat(ask(cluster.first(), "any").statusCode()).isEqualTo(200);
        }
    }
}
