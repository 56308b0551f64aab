package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;

import io.kvrouter.access.KeyHash;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Nodes that have joined the first of them. */
final class TestCluster implements AutoCloseable {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";

    private final List<TestRouter> nodes = new ArrayList<>();

    private TestCluster() {}

    static TestCluster start(int nodes, Map<String, String> settings) throws Exception {
        return start(nodes, node -> settings);
    }

    static TestCluster start(int nodes, IntFunction<Map<String, String>> settings) throws Exception {
        var cluster = new TestCluster();
        for (int node = 0; node < nodes; node++) {
            var unused = cluster.join(settings.apply(node));
        }
        return cluster;
    }

    /** One node more. */
    TestRouter join(Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        all.put("pekko.cluster.jmx.multi-mbeans-in-same-jvm", "on");
        if (!nodes.isEmpty()) {
            all.put("kvrouter.join", first().joinAddress());
        }
        var joined = TestRouter.start(all);
        nodes.add(joined);
        return joined;
    }

    List<TestRouter> nodes() {
        return nodes;
    }

    TestRouter node(int number) {
        return nodes.get(number);
    }

    TestRouter first() {
        return nodes.getFirst();
    }

    /** Until there are workers that are up, as each node sees them. */
    void awaitWorkers() throws InterruptedException {
        for (TestRouter node : nodes) {
            eventually("known", () -> node.managed("/workers").toString().contains("\"up\""));
        }
    }

    /** As the settings have a caller whose key is its name. */
    static String key(String caller) {
        return caller + ".keys = [\"" + KeyHash.of(caller).text() + "\"]\n";
    }

    /** A caller asks for the model m. */
    static HttpResponse<String> ask(TestRouter node, String caller) {
        try {
            return node.complete(BODY, "Authorization", "Bearer " + caller);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        nodes.reversed().forEach(TestRouter::close);
    }
}
