package io.kvrouter.http.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Templates and what Python's jinja2 3.1.6 made of them, set up as transformers sets it up. The table's first line has
 * the variables, each other line a template and its text, or the class of what it raised.
 */
class JinjaTableTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2025-07-10T12:00:00Z"), ZoneOffset.UTC);
    private static final List<JsonNode> TABLE = read();

    private static List<JsonNode> read() {
        try (InputStream file = JinjaTableTest.class.getResourceAsStream("expressions.jsonl")) {
            String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
            var json = new ObjectMapper();
            return Stream.of(text.split("\n")).map(line -> parse(json, line)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode parse(ObjectMapper json, String line) {
        try {
            return json.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Arguments> rendered() {
        return TABLE.stream()
                .filter(row -> row.has("expected"))
                .map(row -> Arguments.of(
                        row.get("template").asText(), row.get("expected").asText()));
    }

    private static Stream<Arguments> raised() {
        return TABLE.stream()
                .filter(row -> row.has("raises"))
                .map(row -> Arguments.of(
                        row.get("template").asText(), row.get("raises").asText()));
    }

    @ParameterizedTest
    @MethodSource
    void rendered(String template, String expected) {
        assertThat(render(template)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource
    void raised(String template, String kind) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render(template))
                .extracting(TemplateException::kind)
                .isEqualTo(kind);
    }

    private static String render(String template) {
        return ChatTemplate.compile(template, Map.of())
                .renderVariables(TABLE.get(0).get("variables"), NOON);
    }
}
