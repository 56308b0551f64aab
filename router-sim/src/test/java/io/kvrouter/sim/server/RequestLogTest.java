package io.kvrouter.sim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.sim.server.LoggedRequest.Outcome;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import org.junit.jupiter.api.Test;

class RequestLogTest {
    private final RequestLog log = new RequestLog();

    @Test
    void theOldestRequestsAreForgotten() {
        for (int arrival = 0; arrival < 10_005; arrival++) {
            log.add(request(arrival));
        }

        assertThat(log.all()).hasSize(10_000);
        assertThat(log.all().getFirst().path("arrival_ms").asInt()).isEqualTo(5);
    }

    @Test
    void theFirstEndOfARequestIsTheOneThatCounts() {
        LoggedRequest request = request(1);
        request.ended(Outcome.CLIENT_GONE, 2);
        request.ended(Outcome.FINISHED, 3);

        assertThat(request.json().path("outcome").asText()).isEqualTo("client_gone");
        assertThat(request.json().path("ended_ms").asInt()).isEqualTo(2);
    }

    private static LoggedRequest request(int arrivalMs) {
        return new LoggedRequest(arrivalMs, "/v1/completions", EmptyHttpHeaders.INSTANCE, new byte[0]);
    }
}
