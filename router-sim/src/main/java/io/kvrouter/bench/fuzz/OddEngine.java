package io.kvrouter.bench.fuzz;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** An engine that is healthy and lists its model, and answers everything else with mutated answers, drawn from its seed. */
final class OddEngine implements AutoCloseable {
    private static final String END = "\r\n\r\n";
    private static final int LONGEST_HEAD = 64 * 1024;
    private static final String EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
    private static final List<byte[]> ANSWERS = List.of(
            bytes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"choices\":[]}"),
            bytes(EVENTS + "Transfer-Encoding: chunked\r\n\r\n" + chunk("data: {\"choices\":[{\"text\":\"a\"}]}\n\n")
                    + chunk(": ping\r\n\r\n") + chunk("event: x\nid: 7\ndata:{\"t\":\"\u00fc data: [DONE]\"}\n\n")
                    + chunk("data: {\"usage\":{\"prompt_tokens_details\":{\"cached_tokens\":3}}}\n\n")
                    + chunk("data: [DONE]\n\n") + "0\r\n\r\n"),
            bytes(EVENTS + "Connection: close\r\n\r\ndata: 1\n\ndata: 2\r\rdata: [DONE]\n\n"),
            bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"),
            bytes("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"),
            bytes("HTTP/1.1 204 No Content\r\n\r\n"));
    private static final byte[] HEALTHY = bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    private static final String MODELS = "{\"object\":\"list\",\"data\":[{\"id\":\"m\",\"object\":\"model\"}]}";
    private static final byte[] LIST = bytes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + MODELS.length() + "\r\n\r\n" + MODELS);

    private final ServerSocket listening;
    private final SplittableRandom random;

    OddEngine(long seed) {
        try {
            listening = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        random = new SplittableRandom(seed);
        Thread.ofVirtual().start(this::acceptAll);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    private void acceptAll() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                RandomGenerator own = random.split();
                Thread.ofVirtual().start(() -> serve(socket, own));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private static void serve(Socket socket, RandomGenerator random) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean goesOn = true;
            while (goesOn) {
                String head = head(in);
                in.skipNBytes(length(head));
                if (head.startsWith("GET /health ")) {
                    socket.getOutputStream().write(HEALTHY);
                } else if (head.startsWith("GET /v1/models ")) {
                    socket.getOutputStream().write(LIST);
                } else {
                    byte[] right = ANSWERS.get(random.nextInt(ANSWERS.size()));
                    send(socket, Mutations.of(right, random), random);
                    goesOn = random.nextInt(4) > 0;
                }
            }
        } catch (IOException e) {
            // the router left
        }
    }

    /** In pieces, as a network cuts them. */
    private static void send(Socket socket, byte[] bytes, RandomGenerator random) throws IOException {
        int sent = 0;
        while (sent < bytes.length) {
            int piece = Math.min(bytes.length - sent, 1 + random.nextInt(bytes.length));
            socket.getOutputStream().write(bytes, sent, piece);
            sent += piece;
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        int ending = 0; // bytes of the empty line so far
        while (ending < END.length()) {
            int next = in.read();
            if (next < 0 || head.length() > LONGEST_HEAD) {
                throw new IOException("closed");
            }
            head.append((char) next);
            ending = next == END.charAt(ending) ? ending + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString();
    }

    private static long length(String head) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToLong(line -> Long.parseLong(
                        line.substring("content-length:".length()).strip()))
                .findFirst()
                .orElse(0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String chunk(String text) {
        return Integer.toHexString(bytes(text).length) + "\r\n" + text + "\r\n";
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
