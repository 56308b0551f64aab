package io.kvrouter.bench.soak.leak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.bench.cluster.Scrape;
import io.kvrouter.bench.soak.leak.NodeResidue.Expected;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeResidueTest {
    private static final Expected EXPECTED = new Expected("node 1", Set.of("w1"), Set.of("127.0.0.1:2"));
    private static final String IDLE = "{'requests':0,'prefill_tokens':0,'decode_blocks':0,'footprint_tokens':0}";
    private static final String QUIET = "{'own':{'w1':{'0':" + IDLE + "}},'total':{'w1':{'0':" + IDLE
            + "}},'nodes':[{'node':'pekko://kvrouter@127.0.0.1:2','workers':{}}],'rows':0}";
    private static final String SERIES = """
            kvrouter_requests_in_flight 0.0
            kvrouter_own_load_requests{node="a",rank="0",worker="w1"} 0.0
            kvrouter_load_peer_bookings{node="a",peer="pekko://kvrouter@127.0.0.1:2"} 7.0
            """;
    private static final String SHARDS = "{'shards':[{'bindings':0}]}";

    @Test
    void anIdleNodeHasNone() throws IOException {
        assertThat(kinds(QUIET, SERIES, SHARDS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "requests | 'requests':0 | 'requests':1",
                "prefill_tokens | 'prefill_tokens':0 | 'prefill_tokens':9",
                "decode_blocks | 'decode_blocks':0 | 'decode_blocks':-1",
                "footprint_tokens | 'footprint_tokens':0 | 'footprint_tokens':5",
                "rows of load | 'rows':0 | 'rows':2",
                "peers | 127.0.0.1:2 | 127.0.0.1:3",
                "requests | 'workers':{} | 'workers':{'w1':{'0':{'requests':3}}}"
            })
    void loadThatIsLeftIsOne(String kind, String idle, String leaking) throws IOException {
        String view = QUIET.replace(idle, leaking);

        assertThat(kinds(view, SERIES, SHARDS)).isNotEmpty().containsOnly(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "requests in flight | kvrouter_requests_in_flight 2.0",
                "calls to workers | kvrouter_upstream_calls 1.0",
                "held reservations | kvrouter_reservations_held 1.0",
                "session actors | kvrouter_session_actors 4.0",
                "metric series of what is gone | kvrouter_kv_rank_lag{rank=\"0\",worker=\"w9\"} 0.0",
                "metric series of what is gone | kvrouter_x{peer=\"pekko://kvrouter@127.0.0.1:9\"} 0.0"
            })
    void whatMetricsTellIsOne(String kind, String line) throws IOException {
        assertThat(kinds(QUIET, SERIES + line + "\n", SHARDS)).containsExactly(kind);
    }

    @Test
    void aBindingIsOne() throws IOException {
        assertThat(kinds(QUIET, SERIES, "{'shards':[{'bindings':0},{'bindings':3}]}"))
                .containsExactly("bindings");
    }

    @Test
    void aNodeThatTellsNoMetricsIsNotQuiet() throws IOException {
        assertThat(kinds(QUIET, "", SHARDS)).containsExactly("metrics");
    }

    @Test
    void growthIsWhatIsMoreThanAnyNodeHadBefore() {
        var before = List.of(footing("node 1", 100, 130), footing("node 2", 120, 131));

        assertThat(Growth.of(before, List.of(footing("node 3", 150, 140)))).isEmpty();
        assertThat(Growth.of(before, List.of(footing("node 1", 153, 156))))
                .extracting(Leak::kind)
                .containsExactly("open files", "actors");
    }

    private static Footing footing(String node, long files, long actors) {
        return new Footing(node, files, 40, actors, 400, 0, 30);
    }

    private static List<String> kinds(String load, String metrics, String shards) throws IOException {
        return NodeResidue.of(EXPECTED, json(load), Scrape.of(metrics), json(shards)).stream()
                .map(Leak::kind)
                .toList();
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
