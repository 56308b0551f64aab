package io.kvrouter.bench.fleet.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the cached tokens in the usage at the end of an answer that streams, which may come in two parts. */
final class UsageReader {
    private static final Pattern CACHED = Pattern.compile("\"cached_tokens\":(\\d{1,9})[,}]");
    private static final int LONGEST = 32;

    private OptionalInt cachedTokens = OptionalInt.empty();
    private String carried = "";

    void read(ByteBuf body) {
        String text = carried + body.toString(StandardCharsets.US_ASCII);
        Matcher cached = CACHED.matcher(text);
        if (cached.find()) {
            cachedTokens = OptionalInt.of(Integer.parseInt(cached.group(1)));
        }
        carried = text.substring(Math.max(0, text.length() - LONGEST));
    }

    /** Empty as long as they have not been told. */
    OptionalInt cachedTokens() {
        return cachedTokens;
    }
}
