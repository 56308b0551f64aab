package io.kvrouter.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallerTest {
    private static Caller caller(Set<String> models, Optional<String> group, Trust... trust) {
        return new Caller("a", models, group, Set.of(trust), CallerLimits.NONE, 1);
    }

    @Test
    void mayAskForAllModelsUnlessSomeAreNamed() {
        assertThat(caller(Set.of(), Optional.empty()).mayAsk("m", "m")).isTrue();
        assertThat(caller(Set.of("m"), Optional.empty()).mayAsk("n", "n")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"alias, m, true", "m, m, true", "other, m, true", "alias, n, true", "other, n, false", "'', '', false"})
    void mayAskByAnAliasOrByTheModelsName(String asked, String model, boolean allowed) {
        assertThat(caller(Set.of("alias", "m"), Optional.empty()).mayAsk(asked, model))
                .isEqualTo(allowed);
    }

    @Test
    void reachesTheDefaultGroupOnly() {
        var caller = caller(Set.of(), Optional.empty());

        assertThat(caller.homeGroup()).isEqualTo("default");
        assertThat(caller.mayReach("default")).isTrue();
        assertThat(caller.mayReach("g")).isFalse();
    }

    @Test
    void reachesEveryGroupIfItMayOverride() {
        assertThat(caller(Set.of(), Optional.empty(), Trust.OVERRIDES).mayReach("g"))
                .isTrue();
    }

    @Test
    void aGroupOfItsOwnIsTheOnlyOneTrustedOrNot() {
        var caller = caller(Set.of(), Optional.of("g"), Trust.OVERRIDES);

        assertThat(caller.homeGroup()).isEqualTo("g");
        assertThat(caller.mayReach("g")).isTrue();
        assertThat(caller.mayReach("default")).isFalse();
    }

    @Test
    void strangersMayAskAndAreNotTrusted() {
        assertThat(Caller.STRANGER.mayAsk("m", "m")).isTrue();
        assertThat(Trust.values()).noneMatch(Caller.STRANGER::trusts).allMatch(Caller.LOCAL::trusts);
        assertThat(Caller.STRANGER.known()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a b", "-a", "caf\u00e9", "a\nb", "a\"b"})
    void aNameThatCouldNotStandInALogIsRefusedAndNotRepeated(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Caller.LOCAL.named(name))
                .withMessageStartingWith("name of " + name.length() + " characters");
    }

    @Test
    void aLimitIsAboveZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CallerLimits(OptionalInt.of(0), OptionalLong.empty()))
                .withMessageContaining("requests-in-flight: 0");
    }
}
