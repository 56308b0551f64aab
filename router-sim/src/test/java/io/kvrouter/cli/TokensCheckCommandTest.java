package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.tokenizer.bpe.ByteLevelTokenizer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensCheckCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory = Path.of("");

    private int run() {
        String[] arguments = {"tokens", "check", directory.toString(), "--texts=40", "--rounds=1"};
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void aTokenizerIsComparedTextByTextAndMeasured() throws IOException {
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

        assertThat(run()).isZero();
        assertThat(out.toString())
                .startsWith("byte pairs, self-test passed")
                .contains("million tokens/s of CPU: ")
                .endsWith("40 passed, 0 failed" + System.lineSeparator());
    }

    @Test
    void aDirectoryWithoutATokenizerIsTold() {
        assertThat(run()).isEqualTo(2);
        assertThat(err).hasToString(directory.resolve("tokenizer.json") + ": missing" + System.lineSeparator());
    }
}
