package io.kvrouter.http.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.worker.HealthTrack;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchedWorkerTest {
    @ParameterizedTest
    @CsvSource({"'', names no model", "'{\"data\":[{\"id\":\"m\"}]}', block size is not known"})
    void whatAnEngineDoesNotTellIsWarnedOfAndItIsUp(String models, String warning) {
        Worker worker = WatchedWorker.of(Registration.ofStatic(URI.create("http://w:1")))
                .with(HealthTrack.PENDING.afterSuccess())
                .with(EngineAnswers.models(models))
                .asWorker();

        assertThat(worker.warnings()).anyMatch(text -> text.contains(warning));
        assertThat(worker.available()).isTrue();
        assertThat(worker.blockSize()).isEqualTo(Worker.DEFAULT_BLOCK_SIZE);
    }
}
