package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;

import io.kvrouter.http.testing.Http2Call;
import io.kvrouter.http.testing.Http2Peer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A way in which clients come: by which protocol, with requests of which API. */
enum ClientWay {
    OPENAI_BY_HTTP1(false, "/v1/chat/completions"),
    OPENAI_BY_HTTP2(true, "/v1/chat/completions"),
    ANTHROPIC_BY_HTTP1(false, "/v1/messages"),
    ANTHROPIC_BY_HTTP2(true, "/v1/messages");

    private final boolean http2;
    private final String path;

    ClientWay(boolean http2, String path) {
        this.http2 = http2;
        this.path = path;
    }

    boolean isOpenAi() {
        return path.contains("chat");
    }

    String path() {
        return path;
    }

    /** A request of that API. */
    Call post(TestRouter router, String body, String... headers) throws Exception {
        return send(router, "POST", path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Any request; one with a body is of type JSON. */
    Call send(TestRouter router, String method, String to, byte[] body, String... headers) throws Exception {
        return http2 ? new ByHttp2(router, method, to, body, headers) : new ByHttp1(router, method, to, body, headers);
    }

    /** A request that was sent, on a connection of its own. */
    interface Call extends AutoCloseable {
        int status() throws Exception;

        /** The values of a header, each byte a character. */
        List<String> headers(String name) throws Exception;

        /** What has come of the body. */
        String text();

        /** Whether it ended as its framing says. */
        boolean ended();

        /** Whether it broke off. */
        boolean broken();

        /** Its client leaves, whatever is under way. */
        @Override
        void close();

        default Call awaitText(String part) throws Exception {
            eventually("has come: " + part, () -> text().contains(part));
            return this;
        }

        /** The body of an answer that ends. */
        default String whole() throws Exception {
            eventually("over", () -> ended() || broken());
            if (!ended()) {
                throw new AssertionError("broke off after: " + text());
            }
            return text();
        }

        /** What came of one that breaks off. */
        default String half() throws Exception {
            eventually("over", () -> ended() || broken());
            if (!broken()) {
                throw new AssertionError("ended cleanly with: " + text());
            }
            return text();
        }
    }

    private static final class ByHttp1 implements Call {
        private final HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream(); // its methods are synchronized
        private final CompletableFuture<HttpResponse<InputStream>> response;
        private volatile boolean ended;
        private volatile boolean broken;

        ByHttp1(TestRouter router, String method, String to, byte[] body, String... headers) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.apiPort() + to))
                    .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                    .setHeader("Content-Type", "application/json");
            for (int i = 0; i < headers.length; i += 2) {
                request.setHeader(headers[i], headers[i + 1]);
            }
            response = client.sendAsync(request.build(), BodyHandlers.ofInputStream());
            Thread.startVirtualThread(this::read);
        }

        private void read() {
            try (InputStream in = response.join().body()) {
                byte[] part = new byte[4_096];
                for (int count = in.read(part); count >= 0; count = in.read(part)) {
                    body.write(part, 0, count);
                }
                ended = true;
            } catch (IOException | RuntimeException e) {
                broken = true;
            }
        }

        @Override
        public int status() throws Exception {
            return response.get(20, TimeUnit.SECONDS).statusCode();
        }

        @Override
        public List<String> headers(String name) throws Exception {
            return response.get(20, TimeUnit.SECONDS).headers().allValues(name);
        }

        @Override
        public String text() {
            return body.toString(StandardCharsets.UTF_8);
        }

        @Override
        public boolean ended() {
            return ended;
        }

        @Override
        public boolean broken() {
            return broken;
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }

    private static final class ByHttp2 implements Call {
        private final Http2Peer client;
        private final Http2Call call;

        ByHttp2(TestRouter router, String method, String to, byte[] body, String... headers) throws Exception {
            client = Http2Peer.connect(router.http2Port());
            var head = Http2Peer.head(method, to, "content-type", "application/json");
            for (int i = 0; i < headers.length; i += 2) {
                head.set(headers[i], headers[i + 1]);
            }
            call = client.open().head(head, body.length == 0);
            if (body.length > 0) {
                call.send(body, true);
            }
        }

        @Override
        public int status() throws Exception {
            return Integer.parseInt(call.status());
        }

        @Override
        public List<String> headers(String name) throws Exception {
            return call.awaitHead().getAll(name).stream()
                    .map(CharSequence::toString)
                    .toList();
        }

        @Override
        public String text() {
            return call.text();
        }

        @Override
        public boolean ended() {
            return call.over() && !call.broken();
        }

        @Override
        public boolean broken() {
            return call.over() && call.broken();
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
