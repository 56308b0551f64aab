package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionsCommandTest {
    private static final String PAGE = """
            {"sessions": [{"key": "k1", "worker": "w", "rank": 0, "age_ms": 63000, "deadline": "2026-01-01T00:00:00Z",
             "shard": "7"}], "next": "k1", "bound": {"total": 2, "workers": {"w": 2}}}""";

    private final Shell shell = new Shell("sessions", "--host", "127.0.0.1");
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final HttpServer node;
    private int status = 200;

    SessionsCommandTest() throws IOException {
        node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            byte[] body = PAGE.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        node.start();
    }

    @AfterEach
    void stop() {
        node.stop(0);
    }

    @Test
    void listsAPageAndSaysHowToGoOn() {
        assertThat(run("--worker", "a b", "--after", "k0", "--limit", "1")).isZero();

        assertThat(asked).containsExactly("/router/sessions?limit=1&worker=a+b&after=k0");
        assertThat(shell.out().lines())
                .anyMatch(line -> line.matches("k1 +w +0 +1m3s +2026-01-01T00:00:00Z +7"))
                .contains("sessions in all: 2; the next page: --after k1");
    }

    @Test
    void saysWhatTheNodeRefuses() {
        status = 400;

        assertThat(run()).isEqualTo(1);
        assertThat(shell.err()).startsWith("can't list sessions").contains("400");
    }

    private int run(String... arguments) {
        String port = "--management-port=" + node.getAddress().getPort();
        return shell.run(Stream.concat(Stream.of(port), Stream.of(arguments)).toArray(String[]::new));
    }
}
