package io.kvrouter.kv.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.kv.stream.StreamSettings;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.KvEventEndpoints;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullMarked
class RankSourceTest {
    private static List<RankSource> sources(boolean assumed, int ranks, Optional<KvEventEndpoints> stated) {
        var facts = new EngineFacts(
                Set.of("m"),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(ranks),
                Optional.empty(),
                stated);
        var worker = new Worker(
                Registration.ofStatic(URI.create("http://10.0.0.7:8000")), facts, Worker.Health.UP, List.of());
        return RankSource.of(worker, new KvFleetSettings(assumed, 5_557, 1, StreamSettings.DEFAULT));
    }

    @Test
    void portsFollowTheRanksAndTheReplayPortsFollowThose() {
        var sources = sources(false, 2, Optional.of(KvEventEndpoints.DERIVED));

        assertThat(sources)
                .extracting(RankSource::endpoint)
                .containsExactly("tcp://10.0.0.7:5557", "tcp://10.0.0.7:5558");
        assertThat(sources)
                .extracting(source -> source.replay().orElse(""))
                .containsExactly("tcp://10.0.0.7:5559", "tcp://10.0.0.7:5560");
    }

    @Test
    void aSingleRankHasThePortsOfVllmsExamples() {
        assertThat(sources(true, 1, Optional.empty()))
                .extracting(source -> source.replay().orElse(""))
                .containsExactly("tcp://10.0.0.7:5558");
    }

    @Test
    void whatTheRegistrationNamesIsTaken() {
        var stated = new KvEventEndpoints(true, List.of("tcp://h:1", "tcp://h:2"), List.of("tcp://h:3", "tcp://h:4"));

        assertThat(sources(false, 2, Optional.of(stated)))
                .extracting(RankSource::endpoint)
                .containsExactly("tcp://h:1", "tcp://h:2");
        assertThat(sources(false, 1, Optional.of(stated))).hasSize(1);
    }

    @Test
    void namedEndpointsHaveNoReplayUnlessNamed() {
        var stated = new KvEventEndpoints(true, List.of("tcp://h:1"), List.of());

        assertThat(sources(false, 1, Optional.of(stated)).getFirst().replay()).isEmpty();
    }

    @Test
    void aWorkerCanSayThatItPublishesNone() {
        assertThat(sources(true, 1, Optional.of(KvEventEndpoints.OFF))).isEmpty();
        assertThat(sources(false, 1, Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ipc:///tmp/x",
                "inproc://x",
                "tcp://h",
                "tcp://*:5557",
                "http://h:1",
                "tcp://h:99999",
                "",
                "tcp://h:1/x",
                "tcp:// :1"
            })
    void whatCantBeReachedIsRefused(String endpoint) {
        assertThatThrownBy(() -> new KvEventEndpoints(true, List.of(endpoint), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("kv_events.endpoints: ")
                .hasMessageContaining("tcp://host:port");
    }

    @Test
    void aReplayForSomeRanksOnlyIsRefused() {
        assertThatThrownBy(() -> new KvEventEndpoints(true, List.of("tcp://h:1", "tcp://h:2"), List.of("tcp://h:3")))
                .hasMessageContaining("kv_events.replay: 1 (expected: none, or 2");
    }
}
