package io.kvrouter.http.node;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** An engine that serves one model, answers health checks and logs its other requests. */
final class TestEngine implements AutoCloseable {
    /** What it does with one request. */
    @FunctionalInterface
    interface Script {
        void run(Peer peer, Peer.Message request) throws Exception;
    }

    private static final List<String> PROBES = List.of("GET /health ", "GET /metrics ", "GET /v1/models ");

    static final Script OK = answering("200 OK", "Content-Type: application/json\r\n", "{\"ok\":true}");

    private final List<Peer.Message> requests = new CopyOnWriteArrayList<>();
    private final MockWorker worker;
    private final AtomicInteger checks = new AtomicInteger();
    private volatile Script script = OK;
    private volatile String health = "200 OK";

    TestEngine(String model) throws IOException {
        this(model, "");
    }

    /** @param more fields of its model at {@code /v1/models}, with a comma before each */
    TestEngine(String model, String more) throws IOException {
        this(model, more, MockWorker::new);
    }

    /** One that was started again where another was. */
    TestEngine(String model, URI url) throws IOException {
        this(model, "", script -> new MockWorker(script, url.getPort()));
    }

    /** One that is spoken to by TLS. */
    TestEngine(String model, SSLContext tls) throws IOException {
        this(model, "", script -> new MockWorker(script, tls));
    }

    private interface Listening {
        MockWorker as(MockWorker.Script script) throws IOException;
    }

    private TestEngine(String model, String more, Listening listening) throws IOException {
        String models = "{\"object\":\"list\",\"data\":[{\"id\":\"" + model + "\",\"object\":\"model\"" + more + "}]}";
        worker = listening.as(peer -> {
            while (true) {
                var message = peer.readMessage();
                if (PROBES.stream().noneMatch(message.head()::startsWith)) {
                    requests.add(message);
                    script.run(peer, message);
                } else {
                    boolean list = message.head().startsWith("GET /v1/models ");
                    boolean check = message.head().startsWith("GET /health ");
                    send(peer, check ? health : "200 OK", "Content-Type: application/json\r\n", list ? models : "");
                    checks.addAndGet(check ? 1 : 0);
                }
            }
        });
    }

    static Script answering(String status, String headers, String body) {
        return (peer, request) -> send(peer, status, headers, body);
    }

    private static void send(Peer peer, String status, String headers, String body) throws IOException {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        peer.send("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + length + "\r\n\r\n" + body);
    }

    /** What it answers to health checks from now on. */
    TestEngine health(String status) {
        health = status;
        return this;
    }

    /** Health checks that it has answered. */
    int checks() {
        return checks.get();
    }

    void follow(Script next) {
        script = next;
    }

    URI url() {
        return worker.url();
    }

    /** Requests that it was sent. */
    List<Peer.Message> requests() {
        return requests;
    }

    Peer.Message request() {
        return requests.getLast();
    }

    @Override
    public void close() {
        worker.close();
    }
}
