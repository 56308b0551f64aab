package io.kvrouter.http.server;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingTest {
    private static final String POST = "POST /v1/x HTTP/1.1\r\nHost: router\r\nContent-Length: 2\r\n\r\nhi";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static Plane plane;
    private MockWorker worker;
    private ApiServer server;

    @BeforeAll
    static void startPlane() {
        plane = new Plane("kvrouter.api-server.max-body-size = 8 MiB");
    }

    @AfterAll
    static void stopPlane() {
        plane.close();
    }

    @BeforeEach
    void start() throws Exception {
        worker = MockWorker.answering(OK);
        server = plane.relay(worker);
    }

    @AfterEach
    void stop() {
        worker.close();
    }

    /** Each part in a write of its own. */
    private void answerInParts(List<byte[]> parts) {
        worker.follow(peer -> {
            while (true) {
                peer.readMessage();
                for (byte[] part : parts) {
                    peer.send(part);
                    Thread.sleep(5);
                }
            }
        });
    }

    private static List<byte[]> bytewise(String text) {
        List<byte[]> parts = new ArrayList<>();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            parts.add(new byte[] {b});
        }
        return parts;
    }

    @Test
    void passesAStreamOfAnyGrammarByteForByte() throws Exception {
        String stream = "data:gr\u00fc\u00dfe \ud83d\ude00\r\nid: 1\r\n\r\nevent: x\ndata: data: [DONE]\n\n";
        List<byte[]> parts = new ArrayList<>();
        parts.add("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=UTF-8\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.UTF_8));
        parts.addAll(bytewise(stream));
        worker.follow(peer -> {
            peer.readMessage();
            for (byte[] part : parts) {
                peer.send(part);
                Thread.sleep(2);
            }
        });

        HttpResponse<byte[]> response = send(request("/v1/x", "hi"), HttpClient.Version.HTTP_1_1);

        assertThat(new String(response.body(), StandardCharsets.UTF_8)).isEqualTo(stream);
        assertThat(response.headers().allValues("content-type")).containsExactly("text/event-stream; charset=UTF-8");
    }

    @Test
    void passesTheRequestBodyByteForByte() throws Exception {
        AtomicReference<Peer.Message> seen = new AtomicReference<>();
        worker.follow(peer -> {
            seen.set(peer.readMessage());
            peer.send(OK).awaitClosed();
        });
        String body = "{\"x\":\"gr\u00fc\u00dfe \\u00fc\"}".repeat(100_000);

        send(request("/v1/x?q=%20a", body), HttpClient.Version.HTTP_1_1);

        assertThat(seen.get().text()).isEqualTo(body);
        assertThat(seen.get().head()).startsWith("POST /v1/x?q=%20a HTTP/1.1\r\n");
    }

    private static final String ANSWER = Peer.crlf("""
            HTTP/1.1 529 Busy Now
            Server: engine/1 (x)
            Date: yesterday
            Set-Cookie: a=1
            Set-Cookie: b=2
            X-Hop: 1
            Connection: X-Hop
            Keep-Alive: timeout=5
            Retry-After: 3
            Content-Length: 2

            ok""");

    private static final String REQUEST = Peer.crlf("""
            POST /v1/x HTTP/1.1
            Host: r
            x-CUSTOM: 1
            accept: a/b;q=0.50
            Authorization: bearer  k
            Connection: x-hop, keep-alive
            X-Hop: 1
            Content-Type: application/json
            Content-Length: 2

            hi""");

    @Test
    void passesHeadersFromEndToEnd() throws Exception {
        AtomicReference<Peer.Message> seen = new AtomicReference<>();
        worker.follow(peer -> {
            seen.set(peer.readMessage());
            peer.send(ANSWER).awaitClosed();
        });

        try (Peer client = Peer.connect(server.port())) {
            Peer.Message answer = client.send(REQUEST).readMessage();

            assertThat(answer.text()).isEqualTo("ok");
            assertThat(answer.head())
                    .startsWith("HTTP/1.1 529 Busy Now\r\n")
                    .contains(
                            "Server: engine/1 (x)\r\n", "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n", "Retry-After: 3\r\n")
                    .doesNotContain("Hop", "Keep-Alive", "yesterday", "Content-Type")
                    .containsOnlyOnce("Date: ");
            assertThat(seen.get().head())
                    .contains("x-CUSTOM: 1\r\n", "Accept: a/b;q=0.50\r\n", "Content-Type: application/json\r\n")
                    .contains("Authorization: bearer  k\r\n")
                    .doesNotContain("Hop", "Timeout-Access", "Remote-Address", "keep-alive");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
    void servesClientsThatOfferAnUpgrade(HttpClient.Version version) throws Exception {
        answerInParts(List.of(OK.getBytes(StandardCharsets.UTF_8)));

        for (int i = 0; i < 3; i++) {
            assertThat(send(request("/v1/x", "hi"), version).body()).isEqualTo("ok".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void answersPipelinedRequestsInTheirOrder() throws Exception {
        worker.follow(peer -> {
            while (true) {
                String body = peer.readMessage().text();
                Thread.sleep(body.equals("0") ? 100 : 0);
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            }
        });

        try (Peer client = Peer.connect(server.port())) {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < 40; i++) {
                String body = Integer.toString(i);
                requests.append("POST / HTTP/1.1\r\nHost: r\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            }
            client.send(requests.toString());

            for (int i = 0; i < 40; i++) {
                assertThat(client.readMessage().text()).isEqualTo(Integer.toString(i));
            }
        }
    }

    @Test
    void servesARequestThatAsksForClosing() throws Exception {
        worker.follow(peer -> {
            peer.readMessage();
            Thread.sleep(100);
            peer.send(OK).awaitClosed();
        });

        try (Peer client = Peer.connect(server.port())) {
            client.send(POST.replace("Host", "Connection: close\r\nHost"));

            assertThat(client.readToEnd()).startsWith("HTTP/1.1 200 OK").endsWith("ok");
        }
    }

    /** A network makes segments where it likes; by HTTP/1.0 a request asks for closing without a word. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1\r\nHost: r\r\nContent-Length: 2\r\n\r\nhi",
                "1.1\r\nHost: r\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
                "1.1\r\nHost: r\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
                "1.0\r\nHost: r\r\nContent-Length: 2\r\n\r\nhi",
                "1.0\r\nHost: r\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi"
            })
    void aRequestMayBeCutAnywhere(String rest) throws Exception {
        worker.follow(peer -> {
            while (true) {
                peer.readMessage();
                Thread.sleep(50); // the router has read all of the request by then
                peer.send(OK);
            }
        });
        String request = "POST /v1/x HTTP/" + rest;
        List<Callable<String>> cuts = IntStream.rangeClosed(1, request.length())
                .<Callable<String>>mapToObj(cut -> () -> answerOf(request.substring(0, cut), request.substring(cut)))
                .toList();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(cuts)) {
                assertThat(answer.get()).isEqualTo("200 ok");
            }
        }
    }

    private String answerOf(String first, String second) throws Exception {
        try (Peer client = Peer.connect(server.port()).send(first)) {
            Thread.sleep(20);
            Peer.Message answer = client.send(second).readMessage();
            return answer.head().substring(9, 12) + " " + answer.text();
        }
    }

    @Test
    void asksForTheBodyOfAClientThatWaitsToSendIt() throws Exception {
        worker.follow(peer -> {
            peer.readMessage();
            peer.send(OK).awaitClosed();
        });

        try (Peer client = Peer.connect(server.port())) {
            client.send("POST / HTTP/1.1\r\nHost: r\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");

            assertThat(client.send("hi").readMessage().text()).isEqualTo("ok");
        }
    }

    @Test
    void leavesNothingOpenAfterManyRequests() throws Exception {
        answerInParts(List.of(OK.getBytes(StandardCharsets.UTF_8)));
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                answers.add(client.sendAsync(request("/v1/x", "hi"), HttpResponse.BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS).body()).isEqualTo("ok");
            }
        }

        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
        assertThat(plane.upstream().openCalls()).isZero();
    }

    private HttpRequest request(String path, String body) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static HttpResponse<byte[]> send(HttpRequest request, HttpClient.Version version) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().version(version).build()) {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        }
    }
}
