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
    private static final Pattern CACHED = Pattern.compile("\"cached_tokens\"\\s*:\\s*(\\d{1,12})");

    private final ByteString[] pieces = new ByteString[PIECES];
    private int next;

    /** Takes the next piece. */
    public void add(ByteString piece) {
        pieces[next++ & (PIECES - 1)] = piece;
    }

    /** Prompt tokens that the engine had cached, if it said so. */
    public OptionalLong cachedTokens() {
        ByteString end = ByteString.emptyByteString();
        for (int i = Math.max(0, next - PIECES); i < next; i++) {
            end = end.concat(pieces[i & (PIECES - 1)]);
        }
        Matcher matcher = CACHED.matcher(end.takeRight(BYTES).decodeString(StandardCharsets.ISO_8859_1));
        long found = -1;
        while (matcher.find()) { // the last one: an answer's text may say anything
            found = Long.parseLong(matcher.group(1));
        }
        return found < 0 ? OptionalLong.empty() : OptionalLong.of(found);
    }
}
