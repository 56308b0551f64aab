package io.kvrouter.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kvrouter.access.Caller;
import io.kvrouter.access.CallerLimits;
import io.kvrouter.access.KeyHash;
import io.kvrouter.access.Operator;
import io.kvrouter.access.Operator.Right;
import io.kvrouter.access.Trust;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTextTest {
    private static final String HASH = KeyHash.of("k").text();

    private static Caller caller(String text) {
        return KeysText.parse(text).callers().holder("k").orElseThrow();
    }

    @Test
    void aCallerHasAllThatIsWrittenOfIt() {
        var caller = caller("""
                callers.team-a {
                  keys = ["%s"], models = [m, n], group = g, trust = [overrides, selection], share = 3
                  limits { requests-in-flight = 20, tokens-per-minute = 100000 }
                }""".formatted(HASH));

        assertThat(caller)
                .isEqualTo(new Caller(
                        "team-a",
                        Set.of("m", "n"),
                        Optional.of("g"),
                        Set.of(Trust.OVERRIDES, Trust.SELECTION),
                        new CallerLimits(OptionalInt.of(20), OptionalLong.of(100_000)),
                        3));
    }

    @Test
    void whatIsLeftOutIsNoTrustAndNoLimitAndOneShare() {
        assertThat(caller("callers.a.keys = [\"" + HASH + "\"]"))
                .isEqualTo(new Caller("a", Set.of(), Optional.empty(), Set.of(), CallerLimits.NONE, 1));
    }

    @Test
    void jsonIsReadToo() {
        assertThat(caller("{\"callers\": {\"a.b\": {\"keys\": [\"" + HASH + "\"]}}}")
                        .name())
                .isEqualTo("a.b");
    }

    @Test
    void anOperatorReadsUnlessItIsWrittenOtherwise() {
        var keys = KeysText.parse("operators { r.keys = [\"" + HASH + "\"], c { keys = [\""
                + KeyHash.of("c").text() + "\"], rights = [read, change] } }");

        assertThat(keys.operators().holder("k")).hasValue(new Operator("r", Set.of(Right.READ)));
        assertThat(keys.operators().holder("c")).hasValue(new Operator("c", Set.of(Right.READ, Right.CHANGE)));
        assertThat(keys.callers().holder("k")).isEmpty();
    }

    @Test
    void nothingIsNobody() {
        assertThat(KeysText.parse("").callers().size()).isZero();
        assertThat(KeysText.parse("callers.gone {}").callers().size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "callers.a.keys = [kvr_secret]",
                "callers.a.keys = kvr_secret",
                "callers.a { keys = [], key = kvr_secret }",
                "callers.a.trust = [kvr_secret]",
                "callers.a.limits { requests-in-flight = kvr_secret }",
                "callers.a.limits { kvr_secret = 1 }",
                "callers.a.limits { tokens-per-minute = kvr_secret }",
                "callers.a.limits { tokens-per-minute = 0 }",
                "callers.a.limits { requests-in-flight = 0 }",
                "callers.a.share = kvr_secret",
                "callers.a.share = 0",
                "callers.a.share = 1001",
                "callers = kvr_secret",
                "callers.a = kvr_secret",
                "callers.\"kvr_secret \".keys = []",
                "operators.a.rights = [kvr_secret]",
                "caller.a.keys = [kvr_secret]",
                "callers.a.group = [kvr_secret]",
                "callers { a { keys = [ \"kvr_secret",
                "callers.a.keys = ${kvr_secret}",
                "kvr_secret",
            })
    void whatIsWrongIsRefusedAndNotRepeated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeysText.parse(text))
                .withMessageNotContaining("kvr_secret")
                .satisfies(refused ->
                        assertThat(String.valueOf(refused.getMessage())).hasSizeBetween(5, 200));
    }

    @Test
    void aKeyOfTwoCallersIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> KeysText.parse("callers { a.keys = [\"" + HASH + "\"], b.keys = [\"" + HASH + "\"] }"))
                .withMessageContaining("callers");
    }

    @Test
    void aMessageNamesTheCaller() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeysText.parse("callers.team-a.keys = [x]"))
                .withMessageStartingWith("callers.team-a: ");
    }
}
