package io.kvrouter.sim.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokens.ModelTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTokensTest {
    private static final String ASKED = "{\"role\":\"user\",\"content\":\"the one\"}";

    @TempDir
    private static Path directory = Path.of("");

    private static ModelTokens model;
    private static FileTokens tokens;

    @BeforeAll
    static void load() throws IOException {
        model = ModelTokens.load(ModelFiles.write(directory), new SegmentCache(1 << 20), Clock.systemUTC());
        tokens = new FileTokens(model);
    }

    @AfterAll
    static void close() {
        model.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 500})
    void anAnswerHasAsManyTokensAsAskedAndTheyAreThoseOfItsText(int count) throws Exception {
        Answer answer = tokens.answer(count);

        assertThat(answer.tokens().count()).isEqualTo(count);
        assertThat(tokens.ofText(answer.text(), json("{}")).toArray())
                .isEqualTo(answer.tokens().toArray());
        assertThat(IntStream.range(0, count).mapToObj(answer::piece).reduce("", String::concat))
                .isEqualTo(answer.text());
    }

    @Test
    void aLaterTurnBeginsWithTheEarlierOneAndItsAnswer() throws Exception {
        Answer answer = tokens.answer(20);
        int[] earlier = chat(ASKED);
        int[] later = chat(ASKED + ",{\"role\":\"assistant\",\"content\":\"" + answer.text() + "\"}," + ASKED);

        assertThat(later)
                .startsWith(IntStream.concat(
                                IntStream.of(earlier),
                                IntStream.of(answer.tokens().toArray()))
                        .toArray());
    }

    @Test
    void callsOfToolsAndTheToolsThemselvesAreInThePrompt() throws Exception {
        String call = "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":"
                + "{\"name\":\"get\",\"arguments\":\"{\\\"city\\\": \\\"%s\\\"}\"}}]},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"rain\"}";
        int[] with = tokens.ofChat(json("{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"get\"}}],"
                        + "\"messages\":[" + ASKED + "]}"))
                .toArray();

        assertThat(Stream.of(chat(ASKED), with, chat(ASKED + "," + call.formatted("Oslo")))
                        .map(ids -> ids.length)
                        .distinct())
                .hasSize(3);
        assertThat(chat(ASKED + "," + call.formatted("Oslo"))).isNotEqualTo(chat(ASKED + "," + call.formatted("Rome")));
    }

    private static int[] chat(String messages) throws Exception {
        return tokens.ofChat(json("{\"messages\":[" + messages + "]}")).toArray();
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }
}
