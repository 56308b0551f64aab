package io.kvrouter.bench;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The requests of a benchmark as bytes: one small chat completion, with or without a session id. */
final class Requests {
    private static final String PROMPT = "{\"model\":\"sim-model\",\"max_tokens\":16,\"messages\":["
            + "{\"role\":\"system\",\"content\":\"You answer briefly.\"},"
            + "{\"role\":\"user\",\"content\":\"Which river flows through the city of Basel?\"}]";

    private final int count;
    private final int sessions;
    private final boolean stream;
    private long newSessions;

    /** @param sessions of which the pinned turns are; turns of one session lie so many requests apart */
    Requests(int count, int sessions, boolean stream) {
        this.count = count;
        this.sessions = sessions;
        this.stream = stream;
    }

    /** The requests of one round. */
    List<byte[]> round(Row row, URI target) {
        if (row == Row.DIRECT || row == Row.NO_SESSION) {
            return Collections.nCopies(count, bytes(target, ""));
        }
        List<byte[]> round = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String id = row == Row.PINNED ? "pinned-" + i % sessions : "new-" + newSessions++;
            round.add(bytes(target, "x-session-id: " + id + "\r\n"));
        }
        return round;
    }

    private byte[] bytes(URI target, String header) {
        String body = PROMPT + ",\"stream\":" + stream + "}";
        String head = "POST /v1/chat/completions HTTP/1.1\r\nhost: " + target.getAuthority()
                + "\r\ncontent-type: application/json\r\naccept: */*\r\n" + header + "content-length: "
                + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }
}
