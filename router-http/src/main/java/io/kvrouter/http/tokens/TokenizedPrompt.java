package io.kvrouter.http.tokens;

import java.util.Arrays;

/**
 * The tokens of a request's prompt.
 *
 * @param tokens their ids; shared, not to be written
 * @param keyed how many of them, from the start, are certainly the engine's own
 */
@SuppressWarnings("ArrayRecordComponent") // hundreds of thousands of ids: never compared, never copied
public record TokenizedPrompt(int[] tokens, int keyed) {
    public TokenizedPrompt {
        if (keyed < 0 || keyed > tokens.length) {
            throw new IllegalArgumentException("keyed: " + keyed + " (expected: 0 to " + tokens.length + ")");
        }
    }

    /** A prompt all of whose tokens are known. */
    public static TokenizedPrompt exact(int[] tokens) {
        return new TokenizedPrompt(tokens, tokens.length);
    }

    /** The last ones only, for a request that has its prompt cut at the front. */
    TokenizedPrompt last(int count) {
        int dropped = Math.max(0, tokens.length - count);
        return new TokenizedPrompt(Arrays.copyOfRange(tokens, dropped, tokens.length), Math.max(0, keyed - dropped));
    }

    @Override
    public String toString() {
        return "TokenizedPrompt[" + tokens.length + " tokens, " + keyed + " keyed]";
    }
}
