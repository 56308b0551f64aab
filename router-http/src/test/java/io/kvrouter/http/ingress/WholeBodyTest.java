package io.kvrouter.http.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.testing.Plane;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.stream.StreamTcpException;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
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

    @Test
    void isCollectedOnTheEventLoops() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (var plane = new Plane()) {
            var parts = Source.range(1, 10).map(part -> {
                threads.add(Thread.currentThread().getName());
                return ByteString.fromString("x".repeat(4096));
            });
            var request =
                    HttpRequest.create().withEntity(HttpEntities.createChunked(ContentTypes.APPLICATION_JSON, parts));

            var body = WholeBody.of(request, Adapter.toTyped(plane.system()));

            assertThat(body.toCompletableFuture().get(20, TimeUnit.SECONDS).size())
                    .isEqualTo(40_960);
            assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith("kvrouter-loops"));
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatTheClientDidIsNoFaultOfTheRouter(Throwable failure, int status) {
        assertThat(WholeBody.error(new CompletionException(failure)).status()).isEqualTo(status);
    }
}
