package io.kvrouter.http.openai;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.util.ByteString;

/**
 * The end of an answer, where engines tell their usage. Only remembers its last pieces, so that a chunk costs nothing;
 * they are read once, when the answer is over.
 */
public final class LastBytes {
    private static final int PIECES = 4; // the usage, an event that ends the stream, and room for how they are cut
    private static final int BYTES = 4_096;
    private static final Pattern TOKENS =
            Pattern.compile("\"(cached|prompt|input|completion|output)_tokens\"\\s*:\\s*(\\d{1,12})");

    private final ByteString[] pieces = new ByteString[PIECES];
    private int next;

    /** Takes the next piece. */
    public void add(ByteString piece) {
        pieces[next++ & (PIECES - 1)] = piece;
    }

    /** What the engine said of the turn's tokens: the last of each, since an answer's text may say anything. */
    public Usage usage() {
        OptionalLong prompt = OptionalLong.empty();
        OptionalLong cached = OptionalLong.empty();
        OptionalLong output = OptionalLong.empty();
        Matcher found = TOKENS.matcher(text());
        while (found.find()) {
            OptionalLong count = OptionalLong.of(Long.parseLong(found.group(2)));
            switch (found.group(1)) {
                case "cached" -> cached = count;
                case "prompt", "input" -> prompt = count;
                default -> output = count;
            }
        }
        return new Usage(prompt, cached, output);
    }

    private String text() {
        ByteString end = ByteString.emptyByteString();
        for (int i = Math.max(0, next - PIECES); i < next; i++) {
            end = end.concat(pieces[i & (PIECES - 1)]);
        }
        return end.takeRight(BYTES).decodeString(StandardCharsets.ISO_8859_1);
    }
}
