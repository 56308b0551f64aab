package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionIdentityTest {
    @Test
    void eachPartMakesAnotherSession() {
        var keys = Stream.of(
                        new SessionIdentity("g", "m", "c", "i"),
                        new SessionIdentity("h", "m", "c", "i"),
                        new SessionIdentity("g", "n", "c", "i"),
                        new SessionIdentity("g", "m", "d", "i"),
                        new SessionIdentity("g", "m", "c", "I"),
                        new SessionIdentity("g", "m", "c", "i", "a"),
                        new SessionIdentity("g", "mc", "", "i"),
                        new SessionIdentity("g", "m", "c", "ia"))
                .map(SessionIdentity::key);

        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    void anAgentWithoutANameIsTheSessionItself() {
        assertThat(new SessionIdentity("g", "m", "c", "i", "").key())
                .isEqualTo(new SessionIdentity("g", "m", "c", "i").key());
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret\n", "secret\u0000", "secret\u009f", "secret\u007f"})
    void whatCannotBeAnIdIsRefusedWithoutItsText(String id) {
        assertThatThrownBy(() -> new SessionIdentity("g", "m", "c", id)).hasMessageNotContaining("secret");
        assertThatThrownBy(() -> new SessionIdentity("g", "m", "c", "i", id)).hasMessageNotContaining("secret");
        assertThatThrownBy(() -> new SessionIdentity("g", "m", "c", "")).hasMessageContaining("1 to 256");
    }

    @Test
    void itsTextIsItsKey() {
        assertThat(new SessionIdentity("g", "m", "c", "secret", "hidden"))
                .asString()
                .matches("[0-9a-f]{32}");
    }
}
