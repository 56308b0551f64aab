package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files in conf/, which operators copy. */
class SampleFilesTest {
    private static final Path CONF = Path.of("../conf");

    static List<Path> files() throws IOException {
        try (var files = Files.walk(CONF)) {
            return files.filter(file -> file.toString().endsWith(".conf")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachCanBeUsed(Path file) {
        assertThat(read(file).workers()).isNotEmpty();
    }

    @Test
    void thereAreThoseOfASingleNodeAndOfThree() throws Exception {
        assertThat(files()).hasSize(5);
    }

    @Test
    void eachOfTheThreeNodesIsInTheListThatTheyShare() {
        for (int node = 1; node <= 3; node++) {
            var settings = read(CONF.resolve("three-nodes/node-" + node + ".conf"));

            assertThat(settings.join().seeds())
                    .hasSize(3)
                    .anyMatch(seed -> seed.host().equals(settings.ports().host())
                            && seed.port() == settings.ports().remoting());
        }
    }

    private static NodeSettings read(Path file) {
        return NodeSettings.read(ConfigSources.load(Map.of(), Map.of(), Optional.of(file)));
    }
}
