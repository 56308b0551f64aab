package io.kvrouter.http.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionBodyTest {
    private static final Set<String> SESSION_PATHS =
            Set.of("prompt_cache_key", "session_id", "session_params.session_id", "conversation", "conversation.id");
    private static final String MESSAGES = "[{\"role\":\"user\",\"content\":\"hi\"}]";

    @Test
    void readsFieldsInAnyOrder() {
        var body = parse("{\"session_params\":{\"x\":[{}],\"session_id\":\"s3\"},\"messages\":" + MESSAGES
                + ",\"stream\":true,\"session_id\":\"s2\",\"prompt_cache_key\":\"s1\",\"cache_salt\":\"c\","
                + "\"temperature\":0.1,\"model\":\"m\"}");

        assertThat(body.model()).isEqualTo("m");
        assertThat(body.cacheSalt()).hasValue("c");
        assertThat(body.sessionFields())
                .containsEntry("prompt_cache_key", "s1")
                .containsEntry("session_id", "s2")
                .containsEntry("session_params.session_id", "s3");
    }

    @Test
    void keepsThePromptsBytesAsTheyCame() {
        String messages = "[ {\"content\" :\"h\\u00e9llo, 世界\"} ]";

        assertThat(prompt("{\"user\":\"zürich\",\"model\":\"m\",\"messages\": " + messages + " ,\"n\":1}"))
                .containsExactly(messages);
    }

    @Test
    void putsToolsBeforeTheMessagesWhereverTheyStand() {
        assertThat(prompt("{\"model\":\"m\",\"messages\":" + MESSAGES + ",\"tools\":[{\"type\":\"function\"}]}"))
                .containsExactly("[{\"type\":\"function\"}]", MESSAGES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"text\"", "[\"one\",\"two\"]", "[1,2,3]", "[[1,2],[3]]", "\"\""})
    void takesEveryFormOfAPrompt(String prompt) {
        assertThat(prompt("{\"model\":\"m\",\"prompt\":" + prompt + "}")).containsExactly(prompt);
    }

    @Test
    void decodesEscapesInNamesAndValues() {
        var body = parse("{\"m\\u006fdel\":\"m\\u002fx\",\"session_id\":\"\\u00e9\",\"prompt\":\"\"}");

        assertThat(body.model()).isEqualTo("m/x");
        assertThat(body.sessionFields()).containsEntry("session_id", "é");
    }

    @Test
    void readsNoSessionIdInsideThePrompt() {
        var body = parse("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"session_id\":\"no\",\"content\":"
                + "\"{\\\"session_id\\\":\\\"no\\\"}\"}],\"metadata\":{\"session_id\":\"no\"}}");

        assertThat(body.sessionFields()).isEmpty();
    }

    @Test
    void readsNoSessionIdThatIsNoText() {
        var body =
                parse("{\"model\":\"m\",\"prompt\":\"\",\"session_id\":7,\"prompt_cache_key\":{\"session_id\":\"x\"},"
                        + "\"session_params\":[\"session_id\"]}");

        assertThat(body.sessionFields()).isEmpty();
    }

    @Test
    void readsAConversationAsATextOrAnObjectWithAnId() {
        String start = "{\"model\":\"m\",\"prompt\":\"\",\"conversation\":";

        assertThat(parse(start + "\"c\"}").sessionFields()).containsExactly(Map.entry("conversation", "c"));
        assertThat(parse(start + "{\"x\":{\"id\":\"no\"},\"id\":\"c\"}}").sessionFields())
                .containsExactly(Map.entry("conversation.id", "c"));
    }

    @Test
    void readsOnlyTheFieldsThatItIsTold() {
        byte[] body = "{\"model\":\"m\",\"prompt\":\"\",\"session_id\":\"s\",\"user\":\"u\"}"
                .getBytes(StandardCharsets.UTF_8);

        assertThat(CompletionBody.parse(body).sessionFields()).isEmpty();
        assertThat(CompletionBody.parse(body, Operation.COMPLETION, Set.of("user"))
                        .sessionFields())
                .containsExactly(Map.entry("user", "u"));
    }

    @Test
    void takesTheLastOfEqualNamesAsEnginesDo() {
        assertThat(parse("{\"model\":\"a\",\"prompt\":\"\",\"model\":\"b\"}").model())
                .isEqualTo("b");
    }

    @Test
    void takesNullForWhatMayBeLeftOut() {
        var body = parse("{\"model\":\"m\",\"prompt\":\"\",\"cache_salt\":null,\"session_id\":null,\"stream\":null,"
                + "\"session_params\":null}");

        assertThat(body.cacheSalt()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "\"{}\"",
                "null",
                "7",
                "{",
                "{\"model\":\"m\",\"prompt\":\"a\"} x",
                "{\"model\":\"m\",\"prompt\":\"a\"}{}",
                "{\"model\":\"m\",\"prompt\":\"a\",}",
                "{model:\"m\",\"prompt\":\"a\"}",
                "{\"model\":\"m\",\"prompt\":\"a\nb\"}",
                "{\"model\":\"m\",\"prompt\":\"\\x\"}",
                "{\"model\":\"m\",\"prompt\":\"a",
                "{\"model\":\"m\",\"prompt\":\"a\\",
                "{\"model\":\"m\",\"prompt\":\"a\\\"}",
                "{\"model\":\"m\",\"user\":\"a\tb\",\"prompt\":\"a\"}",
                "{\"model\":\"m\",\"prompt\":\"a\",\"n\":01}",
                "{\"model\":\"m\",\"prompt\":\"a\",\"n\":NaN}",
                "\uFEFF{\"model\":\"m\",\"prompt\":\"a\"}"
            })
    void refusesWhatIsNoJsonObject(String body) {
        assertThat(refusal(body.getBytes(StandardCharsets.UTF_8)).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"80", "c3", "c328", "e28228", "ff", "f8808080", "c080", "eda080", "f4908080"})
    void refusesInvalidUtf8(String hex) {
        for (String field : List.of("prompt", "user")) {
            var body = new ByteArrayOutputStream();
            body.writeBytes(
                    ("{\"model\":\"m\",\"prompt\":\"a\",\"" + field + "\":\"x").getBytes(StandardCharsets.UTF_8));
            body.writeBytes(HexFormat.of().parseHex(hex));
            body.writeBytes("x\"}".getBytes(StandardCharsets.UTF_8));

            assertThat(refusal(body.toByteArray()).status()).as(field).isEqualTo(400);
        }
    }

    @Test
    void takesATextOfAnyLength() {
        byte[] body =
                ("{\"prompt\":\"" + "x".repeat(21_000_000) + "\",\"model\":\"m\"}").getBytes(StandardCharsets.UTF_8);

        assertThat(CompletionBody.parse(body).prompt().getFirst().remaining()).isEqualTo(21_000_002);
        assertThat(CompletionBody.ofQuestion(body, Operation.QUESTION).model()).isEqualTo("m");
    }

    @Test
    void takesCharactersAcrossThePiecesInWhichItIsDecoded() {
        for (int before = 8_160; before < 8_200; before++) {
            String prompt = "\"" + "x".repeat(before) + "\ud83d\ude00\"";

            assertThat(prompt("{\"model\":\"m\",\"prompt\":" + prompt + "}")).containsExactly(prompt);
        }
        assertThat(refusal("\ud83d\ude00".getBytes(StandardCharsets.UTF_8)).status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32"})
    void refusesOtherEncodings(String charset) {
        byte[] body = "{\"model\":\"m\",\"prompt\":\"a\"}".getBytes(Charset.forName(charset));

        assertThat(refusal(body).status()).isEqualTo(400);
    }

    @Test
    void refusesNestingWithoutEnd() {
        String deep = "{\"model\":\"m\",\"messages\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        assertThat(refusal(deep.getBytes(StandardCharsets.UTF_8)).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"prompt\":\"a\"}", "{\"model\":7,\"prompt\":\"a\"}", "{\"model\":null,\"prompt\":\"a\"}"})
    void namesTheModelThatIsMissingOrNoText(String body) {
        assertThat(refusal(body.getBytes(StandardCharsets.UTF_8)).param()).hasValue("model");
    }

    @Test
    void namesThePromptThatIsMissing() {
        assertThat(refusal("{\"model\":\"m\"}".getBytes(StandardCharsets.UTF_8)).param())
                .hasValue("messages");
    }

    @Test
    void putsAResponsesToolsAndInstructionsBeforeItsInput() {
        String body = "{\"input\":\"hi\",\"model\":\"m\",\"messages\":[],\"instructions\":\"be kind\",\"tools\":[1]}";

        var parsed = parse(Operation.RESPONSE, body);

        assertThat(parsed.prompt().stream().map(CompletionBodyTest::text))
                .containsExactly("[1]", "\"be kind\"", "\"hi\"");
        assertThat(parsed.opening().stream().map(CompletionBodyTest::text)).containsExactly("\"be kind\"", "\"hi\"");
    }

    @Test
    void putsAMessagesToolsAndSystemBeforeItsMessages() {
        String body = "{\"model\":\"m\",\"messages\":" + MESSAGES + ",\"system\":[{\"text\":\"s\"}],\"prompt\":1}";

        assertThat(parse(Operation.MESSAGE, body).prompt().stream().map(CompletionBodyTest::text))
                .containsExactly("[{\"text\":\"s\"}]", MESSAGES);
    }

    @Test
    void knowsBothSidesOfAScore() {
        assertThat(parse(Operation.SCORE, "{\"model\":\"m\",\"text_2\":[\"b\"],\"text_1\":\"a\"}")
                        .prompt())
                .hasSize(2);
        assertThat(parse(Operation.RERANK, "{\"model\":\"m\",\"query\":\"a\",\"documents\":[\"b\"]}")
                        .prompt())
                .hasSize(2);
    }

    private static CompletionBody parse(Operation operation, String body) {
        return CompletionBody.parse(body.getBytes(StandardCharsets.UTF_8), operation, SESSION_PATHS);
    }

    @Test
    void quotesNothingOfTheBody() {
        var refusal = refusal("{\"model\":\"m\",\"prompt\":\"my secret \\x\"}".getBytes(StandardCharsets.UTF_8));

        assertThat(refusal.json()).doesNotContain("secret");
    }

    private static CompletionBody parse(String body) {
        return CompletionBody.parse(body.getBytes(StandardCharsets.UTF_8), Operation.CHAT_OR_COMPLETION, SESSION_PATHS);
    }

    private static List<String> prompt(String body) {
        return parse(body).prompt().stream().map(CompletionBodyTest::text).toList();
    }

    private static String text(ByteBuffer slice) {
        return StandardCharsets.UTF_8.decode(slice.duplicate()).toString();
    }

    private static ApiError refusal(byte[] body) {
        return catchThrowableOfType(ApiException.class, () -> CompletionBody.parse(body))
                .error();
    }
}
