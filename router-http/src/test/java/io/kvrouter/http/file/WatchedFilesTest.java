package io.kvrouter.http.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class WatchedFilesTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(WatchedFiles.class);
    private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

    @TempDir
    private static Path directory = Path.of("");

    private final Path path = directory.resolve("number");
    private final WatchedFiles<String, Integer> file;

    WatchedFilesTest() throws IOException {
        write("1");
        file = open();
    }

    @BeforeEach
    void listen() {
        warnings.start();
        logger.addAppender(warnings);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(warnings);
    }

    private WatchedFiles<String, Integer> open() {
        return WatchedFiles.open(path, Integer::valueOf);
    }

    private void write(String text) throws IOException {
        Files.writeString(path, text);
    }

    @Test
    void aChangeCountsWhenItWasReadTwiceAlike() throws IOException {
        write("2");

        file.look();
        assertThat(file.get()).isEqualTo(1);

        file.look();
        assertThat(file.get()).isEqualTo(2);
    }

    @Test
    void whatIsOnlyHalfWrittenDoesNotCount() throws IOException {
        write("");
        file.look();
        write("23");
        file.look();
        file.look();

        assertThat(file.get()).isEqualTo(23);
        assertThat(warnings.list).isEmpty();
    }

    @Test
    void whatCantBeUsedIsSaidOnceAndChangesNothing() throws IOException {
        write("x");
        for (int i = 0; i < 5; i++) {
            file.look();
        }

        assertThat(file.get()).isEqualTo(1);
        assertThat(warnings.list).hasSize(1);
    }

    @Test
    void aFileThatIsGoneChangesNothing() throws IOException {
        Files.delete(path);
        for (int i = 0; i < 5; i++) {
            file.look();
        }

        assertThat(file.get()).isEqualTo(1);
        assertThat(warnings.list).hasSize(1);
    }

    @Test
    void whatIsMendedCounts() throws IOException {
        write("x");
        file.look();
        file.look();
        write("3");
        file.look();
        file.look();

        assertThat(file.get()).isEqualTo(3);
    }

    @Test
    void whatComesToBeOfUseWithoutAChangeCounts() throws IOException {
        var least = new AtomicInteger();
        var files = WatchedFiles.open(path, text -> {
            if (Integer.parseInt(text) < least.get()) {
                throw new IllegalArgumentException(text);
            }
            return text;
        });
        least.set(5);
        write("3");
        files.look();
        files.look();
        assertThat(files.get()).isEqualTo("1");

        least.set(2);
        files.look();
        assertThat(files.get()).isEqualTo("3");
    }

    @Test
    void whatNobodyExpectedIsSaidOnceWithoutItsMessageAndWhatFollowsCounts() throws IOException {
        var files = WatchedFiles.open(path, text -> parsed(text, 0));
        for (String unexpected : List.of("state", "deep")) {
            write(unexpected);
            for (int i = 0; i < 5; i++) {
                files.look();
            }
            assertThat(files.get()).isEqualTo(1);
        }
        write("2");
        files.look();
        files.look();

        assertThat(files.get()).isEqualTo(2);
        assertThat(warnings.list)
                .filteredOn(line -> line.getLevel() == Level.WARN)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        path + ": can't be used (IllegalStateException); what was there before stays in use",
                        path + ": can't be used (StackOverflowError); what was there before stays in use");
    }

    private static int parsed(String text, int depth) {
        return switch (text) {
            case "state" -> throw new IllegalStateException("secret");
            case "deep" -> parsed(text, depth + 1) + 1;
            default -> Integer.parseInt(text) + depth;
        };
    }

    @Test
    void filesThatCantBeReadForAnyReasonChangeNothing() {
        var broken = new AtomicBoolean();
        var files = WatchedFiles.open(
                "the files",
                () -> {
                    if (broken.get()) {
                        throw new UncheckedIOException(new IOException("secret"));
                    }
                    return 1;
                },
                number -> number);
        broken.set(true);
        for (int i = 0; i < 5; i++) {
            files.look();
        }

        assertThat(files.get()).isEqualTo(1);
        assertThat(warnings.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("the files: can't be used (UncheckedIOException); what was there before stays in use");
    }

    @Test
    void whatCantBeUsedAtTheStartIsRefused() throws IOException {
        write("x");
        assertThatIllegalArgumentException().isThrownBy(this::open);

        Files.delete(path);
        assertThatIllegalArgumentException().isThrownBy(this::open).withMessageContaining("can't be read");
    }
}
