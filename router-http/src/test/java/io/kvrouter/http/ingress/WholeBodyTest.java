package io.kvrouter.http.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.stream.StreamTcpException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Option;

class WholeBodyTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new EntityStreamSizeException(1, Option.empty()), 413),
                Arguments.of(new EntityStreamException(new ErrorInfo("cut", "", "")), 400),
                Arguments.of(new StreamTcpException("Connection reset"), 400),
                Arguments.of(new TimeoutException(), 408),
                Arguments.of(new ApiException(ApiError.modelNotServed()), 503),
                Arguments.of(new IllegalStateException("a bug"), 500));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatTheClientDidIsNoFaultOfTheRouter(Throwable failure, int status) {
        assertThat(WholeBody.error(new CompletionException(failure)).status()).isEqualTo(status);
    }
}
