package io.kvrouter.templates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;
import picocli.CommandLine;

class TemplatesCommandTest {
    private static final String RENDERS = """
            {"model":"m","conversation":"plain","template":"{{ x }}{{ strftime_now('%d %b %Y') }}","context":{"x":1},"expected":"110 Jul 2025"}
            """;
    private static final String RAISES = """
            {"model":"m","conversation":"odd","template":"{{ raise_exception('no') }}","context":{},"raises":"TemplateError"}
            """;
    private static final String DIFFERS = """
            {"model":"m","conversation":"off","template":"one\\ntwo","context":{},"expected":"one\\nTWO"}
            """;
    private static final String SHOULD_RAISE = """
            {"model":"m","conversation":"lax","template":"one","context":{},"raises":"TypeError"}
            """;

    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();

    @Test
    void passesWhatIsAsRecorded() throws IOException {
        int exit = run(Files.writeString(directory.resolve("cases.jsonl"), RENDERS + RAISES));

        assertThat(out.toString()).isEqualTo("2 passed, 0 failed%n".formatted());
        assertThat(exit).isZero();
    }

    @Test
    void namesEachCaseThatIsNotAndWhereItDiffers() throws IOException {
        int exit = run(Files.writeString(directory.resolve("cases.jsonl"), RENDERS + DIFFERS + SHOULD_RAISE));

        assertThat(out.toString().lines())
                .containsExactly(
                        "m/off: differs at 4: \"two\" (expected: \"TWO\")",
                        "m/lax: rendered (expected: TypeError)",
                        "1 passed, 2 failed");
        assertThat(exit).isOne();
    }

    @Test
    void readsCompressedFiles() throws IOException {
        Path file = directory.resolve("cases.jsonl.xz");
        try (OutputStream compressed = new XZOutputStream(Files.newOutputStream(file), new LZMA2Options())) {
            compressed.write(RENDERS.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(run(file)).isZero();
    }

    private int run(Path file) {
        return new CommandLine(new TemplatesCommand())
                .setOut(new PrintWriter(out, true))
                .execute(file.toString());
    }
}
