package io.kvrouter.bench.proxy.load;

import io.kvrouter.bench.proxy.peer.MockEngine;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The requests of a benchmark as bytes. */
public final class Requests {
    /** A chat completion of some 200 bytes. */
    public static final String SHORT = body("\"max_tokens\":16", "Which river flows through the city of Basel?");

    /** The same as a stream. */
    public static final String STREAM =
            body("\"max_tokens\":16,\"stream\":true", "Which river flows through the city of Basel?");

    /** One of 3 MB: some 750,000 of the tokens by which a prompt is measured that nobody tokenizes. */
    public static final String LONG = body("\"max_tokens\":16", "The Rhine flows through it. ".repeat(3_000_000 / 28));

    private static final int SESSIONS = 200;

    private final Contender to;
    private final String body;
    private final String headers;
    private long sent;

    /**
     * Requests over one way.
     *
     * @param body of each
     * @param headers of each, with their line ends
     */
    public Requests(Contender to, String body, String headers) {
        this.to = to;
        this.body = body;
        this.headers = headers;
    }

    private static String body(String fields, String question) {
        return "{\"model\":\"" + MockEngine.MODEL + "\"," + fields + ",\"messages\":[{\"role\":\"system\",\"content\":"
                + "\"You answer briefly.\"},{\"role\":\"user\",\"content\":\"" + question + "\"}]}";
    }

    /** Headers by which the engine answers with a stream of so many events. */
    public static String events(int count) {
        return MockEngine.EVENTS + ": " + count + "\r\n";
    }

    /** The same, one each so many microseconds. */
    public static String events(int count, long paceMicros) {
        return events(count) + MockEngine.PACE + ": " + paceMicros + "\r\n";
    }

    /** Bytes of each body. */
    long bodyBytes() {
        return body.length();
    }

    /** The next one, head and body. */
    public byte[] next() {
        URI url = to.url();
        String head = "POST /v1/chat/completions HTTP/1.1\r\nhost: " + url.getAuthority()
                + "\r\ncontent-type: application/json\r\naccept: */*\r\n" + session() + headers + "content-length: "
                + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    private String session() {
        long number = sent++;
        return switch (to.ids()) {
            case AGAIN -> "x-session-id: again-" + number % SESSIONS + "\r\n";
            case NEW -> "x-session-id: new-" + System.nanoTime() + "-" + number + "\r\n";
            case NONE -> "";
        };
    }
}
