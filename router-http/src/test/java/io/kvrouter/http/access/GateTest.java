package io.kvrouter.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.Caller;
import io.kvrouter.access.KeyHash;
import io.kvrouter.access.Operator;
import io.kvrouter.http.openai.Dialect;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
    private static final String CALLER =
            "callers.a.keys = [\"" + KeyHash.of("secret").text() + "\"]\n";
    private static final String OPERATOR =
            "operators.o.keys = [\"" + KeyHash.of("secret").text() + "\"]\n";

    private final AtomicReference<Keys> keys = new AtomicReference<>(KeysText.parse(CALLER));
    private final Gate gate = Gate.of(keys::get);

    private static HttpRequest request(String... headers) {
        var request = HttpRequest.GET("/");
        for (String header : headers) {
            String[] parts = header.split(": ?", 2);
            request = request.addHeader(RawHeader.create(parts[0], parts[1]));
        }
        return request;
    }

    private String name(Dialect dialect, String... headers) {
        return gate.caller(request(headers), dialect).map(Caller::name).orElse("nobody");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Authorization: Bearer secret", "authorization: bearer secret", "AUTHORIZATION: BEARER  secret "
            })
    void aCallerIsKnownByItsKey(String header) {
        assertThat(name(Dialect.OPENAI, header)).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer wrong",
                "Authorization: Bearer",
                "Authorization: Bearer ",
                "Authorization: secret",
                "Authorization: Basic secret",
                "Authorization: Bearer secret secret",
                "Authorization: Bearer Bearer secret",
                "Authorization: Bearersecret",
                "Authorization:",
                "Proxy-Authorization: Bearer secret",
                "x_authorization: Bearer secret",
                "x-api-key: secret",
                "Cookie: Authorization=secret",
            })
    void nobodyIsKnownByAnythingElse(String header) {
        assertThat(name(Dialect.OPENAI, header)).isEqualTo("nobody");
    }

    @Test
    void withoutAHeaderNobodyIsKnown() {
        assertThat(name(Dialect.OPENAI)).isEqualTo("nobody");
    }

    @Test
    void whoShowsTwoKeysShowsNone() {
        assertThat(name(Dialect.OPENAI, "Authorization: Bearer secret", "Authorization: Bearer wrong"))
                .isEqualTo("nobody");
        assertThat(name(Dialect.OPENAI, "Authorization: Bearer wrong", "authorization: Bearer secret"))
                .isEqualTo("nobody");
        assertThat(name(Dialect.OPENAI, "Authorization: Bearer secret", "Authorization: Bearer secret"))
                .isEqualTo("nobody");
        assertThat(name(Dialect.ANTHROPIC, "Authorization: Bearer secret", "x-api-key: secret"))
                .isEqualTo("nobody");
    }

    @Test
    void anthropicsClientsHaveAHeaderOfTheirOwn() {
        assertThat(name(Dialect.ANTHROPIC, "X-Api-Key: secret")).isEqualTo("a");
        assertThat(name(Dialect.ANTHROPIC, "Authorization: Bearer secret")).isEqualTo("a");
        assertThat(name(Dialect.ANTHROPIC, "x-api-key: wrong")).isEqualTo("nobody");
    }

    @Test
    void aRevokedKeyIsNone() {
        keys.set(KeysText.parse("callers.a.keys = []"));

        assertThat(name(Dialect.OPENAI, "Authorization: Bearer secret")).isEqualTo("nobody");
    }

    @Test
    void withoutKeysEverybodyIsAStrangerWhateverTheyShow() {
        assertThat(Gate.open().caller(request("Authorization: Bearer secret"), Dialect.OPENAI))
                .hasValue(Caller.STRANGER);
    }

    @Test
    void operatorsNeedAKeyAsSoonAsThereAreSome() {
        assertThat(gate.operator(request())).hasValue(Operator.ANYBODY);

        keys.set(KeysText.parse(OPERATOR));

        assertThat(gate.operator(request())).isEmpty();
        assertThat(gate.operator(request("Authorization: Bearer secret")).map(Operator::name))
                .hasValue("o");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "operators { alice { keys = [] } }",
                "operators { alice { } }",
                "operators.alice.rights = [read, change]",
                "operators { }",
                "{\"operators\": {}}",
            })
    void aSectionOfOperatorsClosesTheDoorWithoutAnyKeyToo(String text) {
        keys.set(KeysText.parse(OPERATOR));
        gate.operator(request());

        keys.set(KeysText.parse(text));
        var started = Gate.of(keys::get);

        assertThat(started.operator(request())).isEmpty();
        assertThat(gate.operator(request())).isEmpty();
        assertThat(gate.operator(request("Authorization: Bearer secret"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "callers { }", "callers { a { } }", "callers { a { keys = [] } }", "operators { }"})
    void aTextWithoutKeysOfCallersLetsNobodyIn(String text) {
        keys.set(KeysText.parse(text));

        assertThat(name(Dialect.OPENAI)).isEqualTo("nobody");
        assertThat(name(Dialect.OPENAI, "Authorization: Bearer secret")).isEqualTo("nobody");
        assertThat(Gate.of(keys::get).caller(request(), Dialect.OPENAI)).isEmpty();
    }

    @Test
    void whenTheLastOperatorIsGoneNobodyIsLetIn() {
        keys.set(KeysText.parse(OPERATOR));
        gate.operator(request());

        keys.set(KeysText.parse(""));

        assertThat(gate.operator(request())).isEmpty();
        assertThat(gate.operator(request("Authorization: Bearer secret"))).isEmpty();
    }

    @Test
    void aCallersKeyOpensNoOtherDoor() {
        keys.set(KeysText.parse(CALLER
                + OPERATOR.replace(
                        KeyHash.of("secret").text(), KeyHash.of("other").text())));

        assertThat(gate.operator(request("Authorization: Bearer secret"))).isEmpty();
        assertThat(name(Dialect.OPENAI, "Authorization: Bearer other")).isEqualTo("nobody");
    }
}
