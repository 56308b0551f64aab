package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.tokenizer.bpe.ByteLevelTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensCheckCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Shell shell = new Shell("tokens", "check");

    @TempDir
    private Path directory = Path.of("");

    private int run() {
        return shell.run(directory.toString(), "--texts=40", "--rounds=1");
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
        assertThat(shell.out())
                .startsWith("byte pairs, self-test passed")
                .contains("million tokens/s of CPU: ")
                .endsWith("40 passed, 0 failed" + System.lineSeparator());
    }

    @Test
    void aDirectoryWithoutATokenizerIsTold() {
        assertThat(run()).isEqualTo(2);
        assertThat(shell.err()).isEqualTo(directory.resolve("tokenizer.json") + ": missing" + System.lineSeparator());
    }
}
