package io.kvrouter.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAndPortTest {
    @ParameterizedTest
    @CsvSource({"a:1, a, 1", "' a:1 ', a, 1", "10.0.0.1:65535, 10.0.0.1, 65535", "[::1]:5, [::1], 5"})
    void isReadAsAnOperatorWritesIt(String text, String host, int port) {
        assertThat(HostAndPort.parse(text)).isEqualTo(new HostAndPort(host, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a",
                "[::1]",
                ":1",
                "a:",
                "a:b",
                "a:0",
                "a:65536",
                "a:123456",
                "a:-1",
                "::1",
                "fe80::1:17355",
                "http://a:1",
                "a b:1",
                "a/b:1"
            })
    void isRefusedWithWhatWasExpected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostAndPort.parse(text))
                .withMessageContaining("expected: host:port");
    }

    @Test
    void isOrderedByHostThenPort() {
        assertThat(new HostAndPort("a", 2)).isLessThan(new HostAndPort("b", 1)).isGreaterThan(new HostAndPort("a", 1));
    }
}
