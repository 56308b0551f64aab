package io.kvrouter.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class RecordedSessionsTest {
    private static final String LINE = """
            {"id":"a","block_size":64,"requests":[\
            {"t":0,"type":"n","in":200,"out":0,"hash_ids":[[1,3]],"think_time":0.0},\
            {"t":5,"type":"subagent","requests":[{"in":99,"out":9,"hash_ids":[[8,1]],"think_time":1.5}]},\
            {"t":9,"type":"s","in":400,"out":7,"hash_ids":[[1,3],[9,2]],"think_time":2.5}]}
            """;

    @TempDir
    private Path directory;

    @Test
    void readsTurnsAndWhatSubAgentsAskBetweenThem() throws IOException {
        var file = Files.writeString(directory.resolve("sessions.jsonl"), LINE);

        var session = RecordedSessions.read(file).next(new SplittableRandom(1));

        assertThat(session.length()).isEqualTo(2);
        assertThat(session.turns())
                .toIterable()
                .containsExactly(
                        new SessionTurn(List.of(new BlockRun(1, 3)), 200, 1, 0),
                        new SessionTurn(
                                List.of(new BlockRun(1, 3), new BlockRun(9, 2)),
                                400,
                                7,
                                2.5,
                                List.of(List.of(new SessionTurn(List.of(new BlockRun(8, 1)), 99, 9, 1.5)))));
    }

    @Test
    void takesADuplicateOnceAndReadsXz() throws IOException {
        var file = directory.resolve("sessions.jsonl.xz");
        try (var out = new XZOutputStream(Files.newOutputStream(file), new LZMA2Options(0))) {
            out.write((LINE + LINE.replace("\"a\"", "\"b\"")).getBytes(StandardCharsets.UTF_8));
        }

        assertThat(RecordedSessions.read(file).count()).isOne();
    }

    @Test
    void aFileWithoutSessionsIsRefused() throws IOException {
        var file = Files.writeString(directory.resolve("other.jsonl"), "{}\n");

        assertThatThrownBy(() -> RecordedSessions.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no sessions");
    }
}
