package io.kvrouter.http.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTest {
    @Test
    void keepsItsNamesCaseAndIsFoundWithoutIt() {
        var header = new Header("X-Request-ID", "a");

        assertThat(header.name()).isEqualTo("X-Request-ID");
        assertThat(header.key()).isEqualTo("x-request-id");
        assertThat(header.is("x-request-Id")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "\"a\"", "a\\", "a\r", "\u00e9", "(a)", "a\u007f"})
    void refusesANameThatIsNoToken(String name) {
        assertThatThrownBy(() -> new Header(name, "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesAnyToken() {
        assertThat(new Header("aZ09!#$%&'*+-.^_`|~", "\ta b\u00ff").key()).isEqualTo("az09!#$%&'*+-.^_`|~");
    }

    @Test
    void isEqualByNameAndValue() {
        assertThat(new Header("A", "b"))
                .isEqualTo(new Header("A", "b"))
                .hasSameHashCodeAs(new Header("A", "b"))
                .isNotEqualTo(new Header("a", "b"))
                .isNotEqualTo(new Header("A", "c"));
    }

    @Test
    void doesNotShowItsValueWhichMayBeAKey() {
        assertThat(new Header("Authorization", "Bearer secret").toString()).doesNotContain("secret");
    }
}
