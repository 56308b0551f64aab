package io.kvrouter.llama;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What llama.cpp says of each request in its log: the Java binding hands out the text only, and not how much of a prompt
 * was cached. One request at a time.
 */
final class EngineLog {
    private static final Pattern REQUEST = Pattern.compile(
            "n_prompt_tokens = (\\d+)\\b"
                    + ".*?kv cache rm \\[(\\d+), end\\)"
                    + ".*?prompt eval time = +([\\d.]+) ms / +(\\d+) tokens"
                    + ".*?eval time = +[\\d.]+ ms / +(\\d+) tokens"
                    + ".*?total time =",
            Pattern.DOTALL);
    private static final long PAUSE_NANOS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final Path file;
    private int read;

    EngineLog(Path file) {
        this.file = file;
    }

    /**
     * The engine's own figures of one request.
     *
     * @param promptTokens length of the prompt
     * @param cachedTokens those of them whose keys and values the engine had already
     * @param processedTokens those that it computed
     * @param prefillMs in this time
     * @param answerTokens length of the answer
     */
    record Figures(int promptTokens, int cachedTokens, int processedTokens, double prefillMs, int answerTokens) {}

    /** The figures of the next request, once its log is complete: it is written beside the answer. */
    Figures next() throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < deadline) {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1).substring(read);
            Matcher request = REQUEST.matcher(text);
            if (request.find()) {
                read += request.end();
                return new Figures(
                        Integer.parseInt(request.group(1)),
                        Integer.parseInt(request.group(2)),
                        Integer.parseInt(request.group(4)),
                        Double.parseDouble(request.group(3)),
                        Integer.parseInt(request.group(5)));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IOException("no figures of a request in " + file);
    }
}
