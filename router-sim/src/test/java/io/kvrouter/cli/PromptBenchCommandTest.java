package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.tokenizer.bpe.ByteLevelTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromptBenchCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEMPLATE =
            "{{ tools | tojson }}{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}<assistant>";

    private final Shell shell = new Shell("bench", "prompt");

    @TempDir
    private Path directory = Path.of("");

    /** A model whose tokens are bytes. */
    private void writeModel() throws IOException {
        ObjectNode tokenizer = JSON.createObjectNode();
        tokenizer
                .putObject("pre_tokenizer")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", false);
        ObjectNode model = tokenizer.putObject("model").put("type", "BPE");
        model.putArray("merges");
        model.set("vocab", JSON.valueToTree(ByteLevelTokenizer.byteVocabulary()));
        Files.writeString(directory.resolve("tokenizer.json"), tokenizer.toString());
        Files.writeString(directory.resolve("chat_template.jinja"), TEMPLATE);
    }

    private int run(String... more) {
        return shell.run(Stream.concat(Stream.of("--model-dir=" + directory), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void everyStepAndTheWholeRequestAreMeasuredForFirstAndLaterTurns() throws IOException {
        writeModel();

        int code = run(
                "--tokens=30000",
                "--new-tokens=200",
                "--conversations=2",
                "--later-turns=2",
                "--rounds=1",
                "--warm-up=1");

        assertThat(shell.err()).isEmpty();
        assertThat(code).isZero();
        assertThat(shell.out().lines().toList())
                .filteredOn(line -> line.matches(".* +-?[\\d.]+ +-?[\\d.]+"))
                .extracting(line -> line.substring(0, line.indexOf("  ")))
                .containsSequence(List.of("render", "tokenize", "hash, blocks of 64"))
                .endsWith("whole request, no session", "whole request of a session");
    }

    @Test
    void aDirectoryWithoutATemplateIsTold() {
        assertThat(run()).isEqualTo(1);
        assertThat(shell.err()).contains("no chat template");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--tokens=0", "--new-tokens=0", "--conversations=0", "--rounds=0", "--warm-up=-1"})
    void aBadValueIsCodeTwo(String option) {
        assertThat(run(option)).isEqualTo(2);
    }
}
