package io.kvrouter.http.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndToEndHeadersTest {
    @Test
    void dropsWhatBelongsToOneHopAndWhatConnectionNames() {
        List<Header> passed = EndToEndHeaders.of(List.of(
                new Header("CONNECTION", "keep-alive, X-One"),
                new Header("connection", "x-Two"),
                new Header("X-One", "1"),
                new Header("X-TWO", "2"),
                new Header("X-Three", "3"),
                new Header("Transfer-Encoding", "chunked"),
                new Header("Upgrade", "h2c"),
                new Header("Expect", "100-continue"),
                new Header("Content-Length", "7")));

        assertThat(passed).containsExactly(new Header("X-Three", "3"));
    }

    @Test
    void keepsRepeatedFieldsInTheirOrder() {
        List<Header> cookies = List.of(new Header("Set-Cookie", "b"), new Header("Set-Cookie", "a"));

        assertThat(EndToEndHeaders.of(cookies)).isEqualTo(cookies);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nInjected: yes", "a\nb", "a\0b", "\u20ac"})
    void noHeaderSmugglesInAnother(String value) {
        assertThatThrownBy(() -> new Header("X", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining(value);
    }
}
