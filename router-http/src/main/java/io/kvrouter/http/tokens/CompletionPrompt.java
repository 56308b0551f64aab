package io.kvrouter.http.tokens;

import com.carrotsearch.hppc.IntArrayList;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;

/**
 * Reads the field {@code prompt}: a text, token ids, or an array of either.
 *
 * <p>An array is several prompts, each with a cache of its own in the engine: all of them count as work, the first one
 * is the prefix that is looked up.
 */
final class CompletionPrompt {
    private CompletionPrompt() {}

    static TokenizedPrompt read(JsonNode prompt, Function<String, int[]> tokenizer) throws UntokenizableException {
        if (prompt.isTextual() || isIds(prompt)) {
            return TokenizedPrompt.exact(one(prompt, tokenizer));
        }
        if (!prompt.isArray() || prompt.isEmpty()) {
            throw new UntokenizableException("neither messages nor a prompt");
        }
        int keyed = one(prompt.get(0), tokenizer).length;
        IntArrayList all = new IntArrayList();
        for (JsonNode part : prompt) {
            int[] ids = one(part, tokenizer);
            all.add(ids, 0, ids.length);
        }
        return new TokenizedPrompt(all.toArray(), keyed);
    }

    private static boolean isIds(JsonNode prompt) {
        return prompt.isArray() && prompt.path(0).isNumber();
    }

    private static int[] one(JsonNode prompt, Function<String, int[]> tokenizer) throws UntokenizableException {
        if (prompt.isTextual()) {
            return tokenizer.apply(prompt.textValue());
        }
        if (!isIds(prompt)) {
            throw new UntokenizableException("a prompt that is neither text nor token ids");
        }
        int[] ids = new int[prompt.size()];
        for (int i = 0; i < ids.length; i++) {
            JsonNode id = prompt.get(i);
            if (!id.isIntegralNumber() || !id.canConvertToInt() || id.intValue() < 0) {
                throw new UntokenizableException("a prompt that is neither text nor token ids");
            }
            ids[i] = id.intValue();
        }
        return ids;
    }
}
