package io.kvrouter.http.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatedFileTest {
    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("access.log");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void goesOnWhereTheLastProcessEnded() throws Exception {
        Files.writeString(file, "old\n");

        try (var log = new RotatedFile(file, 100, 3)) {
            log.append(bytes("new\n"));
        }

        assertThat(file).hasContent("old\nnew\n");
    }

    @Test
    void putsFilesAsideAndKeepsTheYoungest() throws Exception {
        try (var log = new RotatedFile(file, 5, 3)) {
            for (int i = 1; i <= 7; i++) {
                log.append(bytes(i + "\n"));
            }
        }

        assertThat(file).hasContent("7\n");
        assertThat(directory.resolve("access.log.1")).hasContent("5\n6\n");
        assertThat(directory.resolve("access.log.2")).hasContent("3\n4\n");
        assertThat(directory).isDirectoryNotContaining("glob:**.3");
    }

    @Test
    void keepsOneFileOnlyIfSoWanted() throws Exception {
        try (var log = new RotatedFile(file, 3, 1)) {
            log.append(bytes("1\n"));
            log.append(bytes("longer than a file\n"));
            log.append(bytes("3\n"));
        }

        assertThat(directory.toFile().list()).containsExactly("access.log");
        assertThat(file).hasContent("3\n");
    }

    @Test
    void beginsAnewAfterAFailure() throws Exception {
        try (var log = new RotatedFile(file, 1, 2)) {
            log.append(bytes("1\n"));
            Path inTheWay = directory.resolve("access.log.1");
            Files.createDirectories(inTheWay.resolve("x"));

            assertThatThrownBy(() -> log.append(bytes("2\n"))).isInstanceOf(IOException.class);
            Files.delete(inTheWay.resolve("x"));
            Files.delete(inTheWay);
            log.append(bytes("3\n"));
        }

        assertThat(file).hasContent("3\n");
    }
}
