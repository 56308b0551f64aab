package io.kvrouter.http.cors;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.server.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.junit.jupiter.api.Test;

class SharedExchangeTest {
    private static final String PAGE = "https://chat.example.org";

    @Test
    void aPagesExchangeHearsOfItsEndLikeAnyOther() {
        List<Object> heard = new ArrayList<>();
        var api = CrossOrigin.around(
                request -> new Exchange() {
                    @Override
                    public CompletionStage<HttpResponse> response() {
                        return CompletableFuture.completedStage(HttpResponse.create());
                    }

                    @Override
                    public void abort() {
                        heard.add("abort");
                    }

                    @Override
                    public void over(Ended ended) {
                        heard.add(ended);
                    }
                },
                new CrossOriginSettings(Set.of(PAGE), Duration.ZERO));
        var ended = new Exchange.Ended(Exchange.End.CLIENT_GONE, Optional.empty(), 0, OptionalLong.empty());

        Exchange exchange = api.begin(HttpRequest.POST("/v1/completions").addHeader(RawHeader.create("Origin", PAGE)));
        exchange.abort();
        exchange.over(ended);

        assertThat(heard).containsExactly("abort", ended);
    }
}
