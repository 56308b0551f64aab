package io.kvrouter.http.accesslog;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RotatedFileTest {
    @TempDir
    private Path directory;

    private final Logger logger = (Logger) LoggerFactory.getLogger(RotatedFile.class);
    private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();
    private Path file;
    private Instant now = Instant.EPOCH;

    @BeforeEach
    void name() {
        file = directory.resolve("access.log");
        warnings.start();
        logger.addAppender(warnings);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(warnings);
    }

    private RotatedFile log(long maxBytes, int files) throws IOException {
        return new RotatedFile(file, maxBytes, files, () -> now);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    /** A name that no file can get. */
    private Path obstacle(String name) throws IOException {
        Path inTheWay = directory.resolve(name);
        Files.createDirectories(inTheWay.resolve("x"));
        return inTheWay;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void goesOnWhereTheLastProcessEnded() throws Exception {
        Files.writeString(file, "old\n");

        try (var log = log(100, 3)) {
            log.append(bytes("new\n"));
        }

        assertThat(file).hasContent("old\nnew\n");
    }

    @Test
    void putsFilesAsideAndKeepsTheYoungest() throws Exception {
        try (var log = log(5, 3)) {
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
        try (var log = log(3, 1)) {
            log.append(bytes("1\n"));
            log.append(bytes("longer than a file\n"));
            log.append(bytes("3\n"));
        }

        assertThat(directory.toFile().list()).containsExactly("access.log");
        assertThat(file).hasContent("3\n");
    }

    @Test
    void aFileThatCantBePutAsideIsWrittenOnAndTheOlderOnesStay() throws Exception {
        write("access.log.1", "old\n");
        obstacle("access.log.0");

        try (var log = log(3, 3)) {
            for (int i = 1; i <= 4; i++) {
                log.append(bytes(i + "\n"));
            }
        }

        assertThat(file).hasContent("1\n2\n3\n4\n");
        assertThat(directory.resolve("access.log.1")).hasContent("old\n");
        assertThat(directory.resolve("access.log.2")).doesNotExist();
        assertThat(warnings.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage, as(STRING))
                .startsWith(file + " can't be put aside (")
                .endsWith("): it is written on, beyond its size");
    }

    @Test
    void aFileWhoseOlderOnesCantMakeRoomGetsItsNameBack() throws Exception {
        obstacle("access.log.1");

        try (var log = log(3, 2)) {
            log.append(bytes("1\n"));
            log.append(bytes("2\n"));
        }

        assertThat(file).hasContent("1\n2\n");
        assertThat(directory.resolve("access.log.0")).doesNotExist();
    }

    @Test
    void whatCouldNotBePutAsideIsAMinuteLater() throws Exception {
        Path inTheWay = obstacle("access.log.1");
        try (var log = log(3, 2)) {
            log.append(bytes("1\n"));
            log.append(bytes("2\n"));
            Files.delete(inTheWay.resolve("x"));
            Files.delete(inTheWay);
            now = now.plusSeconds(59);
            log.append(bytes("3\n"));
            now = now.plusSeconds(1);
            log.append(bytes("4\n"));
        }

        assertThat(file).hasContent("4\n");
        assertThat(directory.resolve("access.log.1")).hasContent("1\n2\n3\n");
    }

    @Test
    void whatAProcessLeftHalfPutAsideIsPutWhereItBelongs() throws Exception {
        write("access.log.0", "young\n");
        write("access.log.1", "old\n");

        log(100, 3).close();

        assertThat(file).isEmptyFile();
        assertThat(directory.resolve("access.log.1")).hasContent("young\n");
        assertThat(directory.resolve("access.log.2")).hasContent("old\n");
        assertThat(directory.resolve("access.log.0")).doesNotExist();
    }

    @Test
    void nothingIsOverwrittenWhereThereIsAGap() throws Exception {
        write("access.log.2", "old\n");

        try (var log = log(3, 3)) {
            log.append(bytes("1\n"));
            log.append(bytes("2\n"));
        }

        assertThat(directory.resolve("access.log.1")).hasContent("1\n");
        assertThat(directory.resolve("access.log.2")).hasContent("old\n");
    }
}
