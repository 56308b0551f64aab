package io.kvrouter.http.openai;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.pekko.util.ByteString;

/**
 * The end of an answer, where engines tell their usage. Only remembers its last pieces, so that a chunk costs nothing;
 * they are read once, when the answer is over. Of a large piece it keeps the end: a client that reads slowly makes large
 * ones, and four of them would be held for it.
 */
public final class LastBytes {
    private static final int PIECES = 4; // the usage, an event that ends the stream, and room for how they are cut
    private static final int BYTES = 4_096;
    private static final String TOKENS = "_tokens\"";
    private static final int DIGITS = 12;

    private final ByteString[] pieces = new ByteString[PIECES];
    private int next;

    /** Takes the next piece. */
    public void add(ByteString piece) {
        pieces[next++ & (PIECES - 1)] =
                piece.length() <= BYTES ? piece : piece.takeRight(BYTES).compact();
    }

    /** What the engine said of the turn's tokens: the last of each, since an answer's text may say anything. */
    public Usage usage() {
        OptionalLong prompt = OptionalLong.empty();
        OptionalLong cached = OptionalLong.empty();
        OptionalLong output = OptionalLong.empty();
        String text = text();
        for (int at = text.indexOf(TOKENS); at >= 0; at = text.indexOf(TOKENS, at + 1)) {
            OptionalLong count = count(text, at + TOKENS.length());
            if (count.isPresent()) {
                switch (text.substring(text.lastIndexOf('"', at) + 1, at)) {
                    case "cached" -> cached = count;
                    case "prompt", "input" -> prompt = count;
                    case "completion", "output" -> output = count;
                    default -> {}
                }
            }
        }
        return new Usage(prompt, cached, output);
    }

    /** The number behind a colon from here on, if that is what follows. */
    private static OptionalLong count(String text, int from) {
        int colon = blanks(text, from);
        if (colon == text.length() || text.charAt(colon) != ':') {
            return OptionalLong.empty();
        }
        int begin = blanks(text, colon + 1);
        int end = begin;
        while (end < text.length() && end - begin < DIGITS && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end == begin ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text, begin, end, 10));
    }

    private static int blanks(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private String text() {
        ByteString end = ByteString.emptyByteString();
        for (int i = Math.max(0, next - PIECES); i < next; i++) {
            end = end.concat(pieces[i & (PIECES - 1)]);
        }
        return end.takeRight(BYTES).decodeString(StandardCharsets.ISO_8859_1);
    }
}
