package io.kvrouter.bench.patience;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Requests for completions of one size, each with a prompt that no other one of them has. Safe for use by several threads. */
public final class Completions {
    private final int promptWords;
    private final int answerTokens;
    private final String credential;
    private final AtomicLong number = new AtomicLong();

    private Completions(int promptWords, int answerTokens, String credential) {
        this.promptWords = promptWords;
        this.answerTokens = answerTokens;
        this.credential = credential;
    }

    /** Of nobody in particular. */
    public static Completions of(int promptWords, int answerTokens) {
        return new Completions(promptWords, answerTokens, "");
    }

    /** Of the same size, by the holder of this key. */
    public Completions by(String key) {
        return new Completions(promptWords, answerTokens, "Authorization: Bearer " + key + "\r\n");
    }

    /** Head and body of the next one. */
    byte[] next() {
        String body =
                "{\"model\":\"sim-model\",\"prompt\":\"" + ("w" + number.incrementAndGet() + " ").repeat(promptWords)
                        + "\",\"max_tokens\":" + answerTokens + "}";
        return ("POST /v1/completions HTTP/1.1\r\nHost: router\r\n" + credential
                        + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
