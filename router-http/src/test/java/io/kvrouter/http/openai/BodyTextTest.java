package io.kvrouter.http.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Texts in a body, whose ends are found without reading them. */
class BodyTextTest {
    private static final ObjectMapper STRICT =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @Test
    void findsTheEndOfAnyText() {
        List<String> parts = List.of(
                "\\\\", "\\\"", "\\u0022", "\\u005c", "\\/", "\\n", "\ud83d\ude00", "\u00e9", "}", ",", ":", "a");
        var random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            String text = random.ints(random.nextInt(12), 0, parts.size())
                    .mapToObj(parts::get)
                    .collect(Collectors.joining("", "\"", "\""));

            assertThat(prompt("{\"prompt\":" + text + ",\"user\":" + text + ",\"model\":\"m\"}"))
                    .containsExactly(text);
        }
    }

    @Test
    void takesAndRefusesWhatAReaderOfAllOfItDoes() {
        byte[] body = "{\"prompt\":\"a\\\"\u00e9\\\\\",\"user\":\"b\\n\ud83d\ude00\",\"n\":[1.5,\"c\"],\"model\":\"m\"}"
                .getBytes(StandardCharsets.UTF_8);
        var random = new Random(11);
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = body.clone();
            changed[random.nextInt(body.length)] =
                    random.nextBoolean() ? (byte) random.nextInt() : (byte) "\"\\,:}{[]tn1 ".charAt(random.nextInt(12));
            var refusal = catchThrowableOfType(ApiException.class, () -> CompletionBody.parse(changed));
            boolean judged =
                    refusal == null || refusal.error().param().isEmpty(); // else a field was wrong before the end

            assertThat(!judged || (refusal == null) == isReadable(changed))
                    .as(new String(changed, StandardCharsets.UTF_8))
                    .isTrue();
            taken += refusal == null ? 1 : 0;
        }
        assertThat(taken).isBetween(1_000, 19_000);
    }

    private static boolean isReadable(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return STRICT.readTree(text).isObject();
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> prompt(String body) {
        return CompletionBody.parse(body.getBytes(StandardCharsets.UTF_8)).prompt().stream()
                .map(slice -> StandardCharsets.UTF_8.decode(slice.duplicate()).toString())
                .toList();
    }
}
