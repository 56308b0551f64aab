package io.kvrouter.http.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kvrouter.access.Caller;
import io.kvrouter.access.CallerLimits;
import io.kvrouter.access.Trust;
import io.kvrouter.booking.SessionMode;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.models.ModelNames;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.Dialect;
import io.kvrouter.http.openai.Operation;
import io.kvrouter.http.settings.SessionSettings;
import io.kvrouter.http.settings.SessionSource;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.RemoteAddress;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TurnReaderTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\",\"session_id\":\"of-body\"}";
    private static final SessionSettings SESSIONS = new SessionSettings(
            Duration.ofMinutes(1),
            Map.of("unpinned", Duration.ZERO),
            SessionMode.SOFT,
            Map.of("loose", SessionMode.OFF, "strict", SessionMode.HARD),
            Stream.of("x-session-id", "x-session-affinity", "body.session_id")
                    .map(SessionSource::parse)
                    .toList(),
            false);

    private static final ModelNames NAMES =
            new ModelNames(() -> Fleet.EMPTY, Map.of("alias", "m", "\u00e4lias \"1\"", "strict"));

    private final TurnReader reader = new TurnReader(SESSIONS, CostFactors.DEFAULT, PromptSource.TEXT, NAMES, 1);

    @Test
    void theFirstHeaderOfTheListNamesTheSession() throws Exception {
        var turn = read(LOOPBACK, BODY, "x-session-affinity", "second", "X_Session_ID", "first");

        assertThat(session(turn)).isEqualTo(key("default", "m", "first"));
    }

    @Test
    void withoutAHeaderTheBodyDoes() throws Exception {
        assertThat(session(read(LOOPBACK, BODY))).isEqualTo(key("default", "m", "of-body"));
    }

    @Test
    void withoutAnIdThereIsNoSession() throws Exception {
        assertThat(read(LOOPBACK, "{\"model\":\"m\",\"prompt\":\"a\",\"user\":\"u\"}")
                        .session())
                .isEmpty();
    }

    @Test
    void modelAndGroupMakeSessionsOfTheirOwn() throws Exception {
        var ofGroup = read(LOOPBACK, BODY, "x-router-group", "g");
        var ofModel = read(LOOPBACK, BODY.replace("\"m\"", "\"n\""));

        assertThat(session(ofGroup)).isEqualTo(key("g", "m", "of-body"));
        assertThat(session(ofModel)).isEqualTo(key("default", "n", "of-body"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"unpinned", "loose"})
    void aModelWithPinningOffHasNoSessions(String model) throws Exception {
        assertThat(read(LOOPBACK, BODY.replace("\"m\"", "\"" + model + "\"")).session())
                .isEmpty();
    }

    @Test
    void aModelMayHaveAModeOfItsOwn() throws Exception {
        var strict = read(LOOPBACK, BODY.replace("\"m\"", "\"strict\""));

        assertThat(strict.session().orElseThrow().mode()).isEqualTo(SessionMode.HARD);
        assertThat(read(LOOPBACK, BODY).session().orElseThrow().mode()).isEqualTo(SessionMode.SOFT);
    }

    @Test
    void turnsOfANodeAreToldApart() throws Exception {
        var first = read(LOOPBACK, BODY).session().orElseThrow().turn();
        var second = read(LOOPBACK, BODY).session().orElseThrow().turn();

        assertThat(first.id()).isNotEqualTo(second.id());
    }

    @Test
    void theLastTurnIsMarked() throws Exception {
        assertThat(read(LOOPBACK, BODY, "x-session-final", "True").session())
                .hasValueSatisfying(session -> assertThat(session.last()).isTrue());
        assertThat(read(LOOPBACK, BODY, "x-session-final", "no").session())
                .hasValueSatisfying(session -> assertThat(session.last()).isFalse());
    }

    @Test
    void aTrustedCallerMayNameWorkers() throws Exception {
        var turn = read(LOOPBACK, BODY, "x-router-allow", "a, b", "x-router-worker", "a");

        assertThat(turn.demand().allowed()).containsExactlyInAnyOrder(new WorkerId("a"), new WorkerId("b"));
        assertThat(turn.override()).hasValue(new WorkerId("a"));
    }

    @Test
    void loopbackOfTheOtherFamilyIsTrustedToo() throws Exception {
        assertThat(read("::1", BODY, "x-router-worker", "a").override()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-router-allow",
                "x-router-worker",
                "x-router-group",
                "x-router-cost",
                "x-router-priority",
                "X_Router_Worker"
            })
    void othersMayNot(String header) throws Exception {
        var refusal = refusal("192.0.2.7", header, "a");

        assertThat(refusal.status()).isEqualTo(403);
        assertThat(refusal.reason()).isEqualTo("not_trusted");
    }

    @Test
    void othersMayHaveSessions() throws Exception {
        assertThat(read("192.0.2.7", BODY, "x-session-id", "s").session()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", " , ", "not an id"})
    void anAllowlistThatNamesNoWorkerIsRefused(String list) throws Exception {
        assertThat(refusal(LOOPBACK, "x-router-allow", list).status()).isEqualTo(400);
    }

    @Test
    void costFactorsMaySayOtherwiseForOneRequest() throws Exception {
        var turn = read(LOOPBACK, BODY, "x-router-cost", "temperature=0.5, overlap-credit=2");

        assertThat(turn.factors())
                .hasValue(CostFactors.DEFAULT.with("temperature", 0.5).with("overlap-credit", 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "temperature", "temperature=hot", "temperature=-1", "warmth=1", "decay=NaN", "decay=1,"})
    void costFactorsThatCannotBeUsedAreRefused(String factors) throws Exception {
        var refusal = refusal(LOOPBACK, "x-router-cost", factors);

        assertThat(refusal.status()).isEqualTo(400);
        assertThat(refusal.message()).contains("overlap-credit");
    }

    @Test
    void aTrustedCallersPriorityCountsInTheHeaderBeforeTheBody() throws Exception {
        String body = "{\"model\":\"m\",\"prompt\":\"a\",\"priority\":-3}";

        assertThat(read(LOOPBACK, body).ticket().priority()).isEqualTo(-3);
        assertThat(read(LOOPBACK, body, "x-router-priority", " 7 ").ticket().priority())
                .isEqualTo(7);
        assertThat(read("192.0.2.7", body).ticket().priority()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "PRIORITY, x-router-priority, true", "PRIORITY, x-router-worker, false",
        "OVERRIDES, x-router-priority, false", "OVERRIDES, x-router-worker, true",
    })
    void oneTrustIsNotTheOther(Trust trust, String header, boolean allowed) {
        var caller = new Caller("c", Set.of(), Optional.empty(), Set.of(trust), CallerLimits.NONE, 1);
        var request = HttpRequest.create().addHeader(RawHeader.create(header, "7"));

        assertThat(TurnReader.refusal(new RequestHeaders(request, caller)).isEmpty())
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"high\"", "1.5", "99999999999", "null", "[1]", "{\"priority\":1}"})
    void aPriorityOfAnotherKindIsTheWorkersToJudge(String priority) throws Exception {
        String body = "{\"model\":\"m\",\"priority\":" + priority + ",\"prompt\":\"a\"}";

        assertThat(read(LOOPBACK, body).ticket().priority()).isZero();
    }

    @Test
    void anAliasIsItsModelAndOnlyItsNameChangesInTheBody() throws Exception {
        String body = "{ \"prompt\":\"\\u0061 é\",\"model\" : \"alias\" , \"session_id\":\"s\",\"x\":1.0 }";

        var read = read(Operation.COMPLETION, LOOPBACK, body);

        assertThat(read.rewritten().map(bytes -> new String(bytes, StandardCharsets.UTF_8)))
                .hasValue(body.replace("alias", "m"));
        assertThat(session(read.turn())).isEqualTo(key("default", "m", "s"));
    }

    @Test
    void anAliasMayHaveAnyCharactersHoweverTheyAreWritten() throws Exception {
        String body = "{\"model\":\"\\u00e4lias \\\"1\\\"\",\"prompt\":\"é\"}";

        var read = read(Operation.COMPLETION, LOOPBACK, body);

        assertThat(read.rewritten().map(bytes -> new String(bytes, StandardCharsets.UTF_8)))
                .hasValue("{\"model\":\"strict\",\"prompt\":\"é\"}");
    }

    @Test
    void ofSeveralNamesTheLastCountsAndIsTheOneThatChanges() throws Exception {
        String body = "{\"model\":\"alias\",\"prompt\":\"a\",\"model\":\"alias\"}";

        assertThat(read(Operation.COMPLETION, LOOPBACK, body)
                        .rewritten()
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8)))
                .hasValue("{\"model\":\"alias\",\"prompt\":\"a\",\"model\":\"m\"}");
    }

    @Test
    void whatGeneratesNothingIsNoSessionsTurn() throws Exception {
        String body = "{\"model\":\"m\",\"input\":\"some text to embed\",\"prompt\":\"a\"}";

        var turn =
                read(Operation.EMBEDDING, LOOPBACK, body, "x-session-id", "s").turn();

        assertThat(turn.session()).isEmpty();
        assertThat(turn.prompt().read().toCompletableFuture().join().tokens()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--part\r\nno json", "[1]", "{\"n\":1}", "{\"model\":7}"})
    void aQuestionNeedsNoModelAndNoPrompt(String body) throws Exception {
        var turn = read(Operation.QUESTION, LOOPBACK, body, "x-session-id", "s").turn();

        assertThat(turn.demand().model()).isEqualTo(Demand.ANY_MODEL);
        assertThat(turn.session()).isEmpty();
        assertThat(turn.prompt().read().toCompletableFuture().join().tokens()).isZero();
    }

    @Test
    void aQuestionGoesToWhoServesItsModel() throws Exception {
        var read = read(Operation.QUESTION, LOOPBACK, "{\"model\":\"alias\",\"tokens\":[1]}");

        assertThat(read.turn().demand().model()).isEqualTo("m");
        assertThat(read.rewritten()).isPresent();
    }

    private ApiError refusal(String from, String... headers) {
        return catchThrowableOfType(ApiException.class, () -> read(from, BODY, headers))
                .error();
    }

    private TurnRequest read(String from, String body, String... headers) throws Exception {
        return read(Operation.COMPLETION, from, body, headers).turn();
    }

    private TurnReader.Read read(Operation operation, String from, String body, String... headers) throws Exception {
        var request = HttpRequest.POST("/v1/completions")
                .addAttribute(AttributeKeys.remoteAddress, RemoteAddress.create(InetAddress.getByName(from)));
        for (int i = 0; i < headers.length; i += 2) {
            request = request.addHeader(RawHeader.create(headers[i], headers[i + 1]));
        }
        var known = new RequestHeaders(request, caller(request));
        return reader.read(known, operation, body.getBytes(StandardCharsets.UTF_8), reader.ticket(known));
    }

    private static Caller caller(HttpRequest request) {
        return Gate.open().caller(request, Dialect.OPENAI).orElseThrow();
    }

    private static Object session(TurnRequest turn) {
        return turn.session().orElseThrow().key();
    }

    private static Object key(String group, String model, String id) {
        return new SessionIdentity(group, model, "", id).key();
    }
}
