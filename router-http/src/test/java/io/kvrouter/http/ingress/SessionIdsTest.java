package io.kvrouter.http.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kvrouter.access.Caller;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.openai.Operation;
import io.kvrouter.http.settings.ConfigSources;
import io.kvrouter.http.settings.NodeSettings;
import io.kvrouter.http.settings.SessionSettings;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.Demand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the session id of a request comes from, by the default list. */
class SessionIdsTest {
    /** The default order: headers, then fields as they stand in a body. */
    private static final List<String> HEADERS = List.of(
            "x-session-id",
            "x-session-affinity",
            "x-claude-code-session-id",
            "session_id",
            "thread-id",
            "x-opencode-session",
            "x-dynamo-session-id",
            "x-smg-routing-key",
            "x-litellm-session-id",
            "x-multi-turn-session-id");

    private static final List<String> FIELDS = List.of(
            "\"prompt_cache_key\":\"p\"",
            "\"session_id\":\"s\"",
            "\"session_params\":{\"session_id\":\"q\"}",
            "\"conversation\":\"c\"");

    static IntStream places() {
        return IntStream.range(0, HEADERS.size() + FIELDS.size());
    }

    @ParameterizedTest
    @MethodSource("places")
    void eachPlaceCountsBeforeAllThatFollowIt(int place) {
        List<String> headers = new ArrayList<>();
        HEADERS.stream().skip(place).forEach(name -> headers.addAll(List.of(name, "of " + name)));
        List<String> fields = FIELDS.subList(Math.max(0, place - HEADERS.size()), FIELDS.size());
        String expected = place < HEADERS.size()
                ? "of " + HEADERS.get(place)
                : "psqc".substring(place - HEADERS.size(), place - HEADERS.size() + 1);

        assertThat(find(body(String.join(",", fields)), headers.toArray(String[]::new)))
                .hasValue(key(expected));
    }

    @Test
    void aConversationMayBeAnObject() {
        assertThat(find(body("\"conversation\":{\"id\":\"c\"}"))).hasValue(key("c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Session-ID", "x_session_id", "X_SESSION-id"})
    void namesMatchWithoutCaseAndWithUnderscores(String name) {
        assertThat(find(body(""), name, "s")).hasValue(key("s"));
    }

    @Test
    void anAgentOfASessionIsASessionOfItsOwn() {
        var agent = find(body(""), "x-claude-code-session-id", "s", "x_claude_code_agent_id", "a");

        assertThat(agent).hasValue(new SessionIdentity("default", "m", "", "s", "a").key());
        assertThat(find(body(""), "x-claude-code-session-id", "s")).hasValue(key("s"));
        assertThat(find(body(""), "x-claude-code-agent-id", "a")).isEmpty();
    }

    @Test
    void ofAHeaderThatIsRepeatedTheFirstCounts() {
        assertThat(find(body(""), "x-session-id", "first", "X_Session_Id", "second"))
                .hasValue(key("first"));
    }

    @Test
    void anEmptyIdIsNone() {
        assertThat(find(body("\"session_id\":\"\",\"conversation\":\"c\""), "x-session-id", ""))
                .hasValue(key("c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "safety_identifier", "metadata"})
    void aPersonIsNoConversation(String field) {
        assertThat(find(body("\"" + field + "\":\"u\""))).isEmpty();
    }

    @Test
    void aFieldInsideThePromptIsNoField() {
        String prompt =
                "[{\"role\":\"user\",\"session_id\":\"no\",\"content\":[{\"type\":\"text\",\"conversation\":\"no\","
                        + "\"text\":\"{\\\"session_id\\\":\\\"no\\\",\\\"prompt_cache_key\\\":\\\"no\\\"}\"}]}]";

        assertThat(find("{\"model\":\"m\",\"messages\":" + prompt + "}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\tb", "a\u0085b", "\u0000"})
    void anIdWithControlCharactersIsRefusedAndNotRepeated(String id) {
        var refusal = refusal(body(""), "x-session-id", id);

        assertThat(refusal.error().status()).isEqualTo(400);
        assertThat(refusal.error().param()).hasValue("x-session-id");
        assertThat(refusal.error().json()).doesNotContain(id);
    }

    @Test
    void anIdHasAtMost256Bytes() {
        assertThat(find(body(""), "x-session-id", "é".repeat(128))).hasValue(key("é".repeat(128)));
        assertThat(refusal(body(""), "x-session-id", "é".repeat(129)).error().status())
                .isEqualTo(400);
        assertThat(refusal(body("\"conversation\":\"" + "a".repeat(257) + "\""))
                        .error()
                        .param())
                .hasValue("conversation");
        assertThat(refusal(body(""), "x-claude-code-session-id", "s", "x-claude-code-agent-id", "a".repeat(257))
                        .error()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void anotherListInAnotherOrderIsASetting() {
        var settings = Map.of("kvrouter.session-sources", "body.user,x-session-id");

        assertThat(find(settings, body("\"user\":\"u\""), "x-session-id", "s")).hasValue(key("u"));
        assertThat(find(settings, body("\"session_id\":\"b\""))).isEmpty();
    }

    @Nested
    class Fingerprints {
        private static final String FIRST = chat("{\"role\":\"system\",\"content\":\"be kind\"}", user("hello"));

        @Test
        void areNotTakenUnlessConfigured() {
            assertThat(find(FIRST)).isEmpty();
        }

        @Test
        void areTheSameForAllTurnsOfAConversation() {
            var first = fingerprint(FIRST);
            var later = fingerprint(chat(
                    "{ \"content\" : \"be kind\", \"role\":\"system\"}",
                    user("hello"),
                    "{\"role\":\"assistant\",\"content\":\"hi\"}",
                    user("more")));

            assertThat(first).isPresent().isEqualTo(later);
        }

        @Test
        void areOthersForAnotherBeginning() {
            var first = fingerprint(FIRST);

            assertThat(fingerprint(chat("{\"role\":\"system\",\"content\":\"be kind\"}", user("hallo"))))
                    .isPresent()
                    .isNotEqualTo(first);
            assertThat(fingerprint(chat("{\"role\":\"system\",\"content\":\"be\"}", user("hello"))))
                    .isPresent()
                    .isNotEqualTo(first);
            assertThat(fingerprint(FIRST.replace("\"m\"", "\"n\""))).isPresent().isNotEqualTo(first);
        }

        @Test
        void doNotSeeWhereAClientWantsItsCache() {
            String part = "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hello\"%s}]}";

            assertThat(fingerprint(chat(part.formatted(",\"cache_control\":{\"type\":\"ephemeral\"}"))))
                    .isPresent()
                    .isEqualTo(fingerprint(chat(part.formatted(""))));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"[]", "[{\"role\":\"system\",\"content\":\"x\"}]", "\"text\"", "[1,2]", "[[1]]", "[{}]"})
        void needAUserMessage(String messages) {
            assertThat(fingerprint("{\"model\":\"m\",\"messages\":" + messages + "}"))
                    .isEmpty();
        }

        @Test
        void seeTheSystemsTextWhereverAProtocolHasIt() {
            String message = "{\"model\":\"m\",\"system\":%s,\"messages\":[" + user("hello") + "]}";
            String response = "{\"instructions\":%s,\"input\":[" + user("hello") + "],\"model\":\"m\"}";

            assertThat(of(Operation.MESSAGE, message.formatted("\"be kind\"")))
                    .isPresent()
                    .isNotEqualTo(of(Operation.MESSAGE, message.formatted("\"be brief\"")));
            assertThat(of(Operation.RESPONSE, response.formatted("\"be kind\"")))
                    .isPresent()
                    .isNotEqualTo(of(Operation.RESPONSE, response.formatted("\"be brief\"")));
        }

        private static Optional<SessionKey> of(Operation operation, String body) {
            return find(Map.of("kvrouter.session-fingerprint", "true"), operation, body);
        }

        @Test
        void giveWayToAnId() {
            assertThat(find(Map.of("kvrouter.session-fingerprint", "true"), FIRST, "x-session-id", "s"))
                    .hasValue(key("s"));
        }

        private static Optional<SessionKey> fingerprint(String body) {
            return find(Map.of("kvrouter.session-fingerprint", "true"), body);
        }

        private static String chat(String... messages) {
            return "{\"model\":\"m\",\"messages\":[" + String.join(" , ", messages) + "]}";
        }

        private static String user(String text) {
            return "{\"role\":\"user\",\"content\":\"" + text + "\"}";
        }
    }

    private static String body(String fields) {
        return "{\"model\":\"m\",\"prompt\":\"a\"" + (fields.isEmpty() ? "" : ",") + fields + "}";
    }

    private static Optional<SessionKey> find(String body, String... headers) {
        return find(Map.of(), body, headers);
    }

    private static Optional<SessionKey> find(Map<String, String> settings, String body, String... headers) {
        return find(settings, Operation.CHAT_OR_COMPLETION, body, headers);
    }

    private static Optional<SessionKey> find(
            Map<String, String> settings, Operation operation, String body, String... headers) {
        SessionSettings sessions = NodeSettings.read(ConfigSources.load(settings, Map.of(), Optional.empty()))
                .sessions();
        List<HttpHeader> given = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            given.add(RawHeader.create(headers[i], headers[i + 1]));
        }
        var request = HttpRequest.POST("/v1/completions").withHeaders(given);
        var parsed = CompletionBody.parse(body.getBytes(StandardCharsets.UTF_8), operation, sessions.bodyPaths());
        var demand = new Demand("default", parsed.model(), Set.of());
        return new SessionIds(sessions)
                .find(new RequestHeaders(request, Caller.STRANGER), parsed, demand)
                .map(SessionIdentity::key);
    }

    private static ApiException refusal(String body, String... headers) {
        return catchThrowableOfType(ApiException.class, () -> find(body, headers));
    }

    private static SessionKey key(String id) {
        return new SessionIdentity("default", "m", "", id).key();
    }
}
