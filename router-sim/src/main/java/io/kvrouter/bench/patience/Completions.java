package io.kvrouter.bench.patience;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Requests for completions, each with a prompt that no other one of them has. Safe for use by several threads. */
public final class Completions {
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final int promptWords;
    private final int leastTokens;
    private final int mostTokens;
    private final String credential;
    private final AtomicLong number = new AtomicLong();

    private Completions(int promptWords, int leastTokens, int mostTokens, String credential) {
        this.promptWords = promptWords;
        this.leastTokens = leastTokens;
        this.mostTokens = mostTokens;
        this.credential = credential;
    }

    /** Of nobody in particular, for answers of one length. */
    public static Completions of(int promptWords, int answerTokens) {
        return new Completions(promptWords, answerTokens, answerTokens, "");
    }

    /** For answers of all lengths from {@code least} to {@code most}, each as often as any other and well mixed. */
    public Completions answeredBy(int least, int most) {
        return new Completions(promptWords, least, most, credential);
    }

    /** Alike, by the holder of this key. */
    public Completions by(String key) {
        return new Completions(promptWords, leastTokens, mostTokens, "Authorization: Bearer " + key + "\r\n");
    }

    /** Head and body of the next one. */
    byte[] next() {
        long own = number.incrementAndGet();
        String body = "{\"model\":\"sim-model\",\"prompt\":\"" + ("w" + own + " ").repeat(promptWords)
                + "\",\"max_tokens\":" + answerTokens(own) + "}";
        return ("POST /v1/completions HTTP/1.1\r\nHost: router\r\n" + credential
                        + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Multiples of the golden ratio, without their whole part, fill the range evenly however many there are. */
    int answerTokens(long own) {
        double place = own * GOLDEN % 1;
        return leastTokens + (int) (place * (mostTokens - leastTokens + 1));
    }
}
