package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What tests of forwarding share: calls, and how they ended. */
abstract class UpstreamCalls {
    static Plane plane;

    @BeforeAll
    static void start() {
        plane = new Plane(
                "kvrouter.upstream { first-byte-timeout = 1500 ms, idle-timeout = 300 ms, keep-alive = 5 s }");
    }

    @AfterAll
    static void stop() throws Exception {
        plane.close();
    }

    static Call call(URI worker, String method, String body, Header... headers) {
        return plane.upstream().call(request(worker, method, body, headers));
    }

    static UpstreamRequest request(URI worker, String method, String body, Header... headers) {
        return new UpstreamRequest(worker, method, "/v1/x?y=z", List.of(headers), ByteString.fromString(body));
    }

    static Call post(MockWorker worker) {
        return call(worker.url(), "POST", "hello");
    }

    static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    static String text(UpstreamResponse response) throws Exception {
        return get(response.body().runWith(Sink.fold(ByteString.emptyByteString(), ByteString::concat), plane.system()))
                .utf8String();
    }

    static String answer(Call call) throws Exception {
        return text(get(call.response()));
    }

    static UpstreamFailure failure(CompletionStage<?> stage) throws Exception {
        try {
            get(stage);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UpstreamException why) {
                return why.failure();
            }
            throw e;
        }
        throw new AssertionError("did not fail");
    }

    static UpstreamFailure bodyFailure(Call call) throws Exception {
        return failure(get(call.response()).body().runWith(Sink.ignore(), plane.system()));
    }
}
