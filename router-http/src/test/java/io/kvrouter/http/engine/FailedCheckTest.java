package io.kvrouter.http.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Failures as the JDK's client wraps them. */
class FailedCheckTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException(), "the connection is refused"),
                Arguments.of(
                        caused(new ConnectException(), new UnresolvedAddressException()),
                        "the name of its host is not found"),
                Arguments.of(
                        caused(new ConnectException(), new NoRouteToHostException()), "there is no way to its host"),
                Arguments.of(
                        caused(new HttpConnectTimeoutException("late"), new ConnectException("late")),
                        "no answer within 2000 ms"),
                Arguments.of(new TimeoutException(), "no answer within 2000 ms"),
                Arguments.of(new SSLHandshakeException("no path"), "no TLS with it (no path)"),
                Arguments.of(new IOException("Connection reset"), "the check breaks off (Connection reset)"),
                Arguments.of(
                        new IOException("can't be sent", new IllegalArgumentException("Bearer secret")),
                        "the check breaks off (can't be sent)"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureIsSaidInPlainWords(Throwable failure, String words) {
        var check = new FailedCheck(new CompletionException(failure));

        assertThat(check.inWords(Duration.ofSeconds(2))).isEqualTo(words);
        assertThat(check.refused()).isEqualTo(words.equals("the connection is refused"));
    }

    private static Throwable caused(Throwable failure, Throwable by) {
        return failure.initCause(by);
    }
}
