package io.kvrouter.http.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.SegmentCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;

/**
 * What a request's prompt is for one model: its chat template and its tokenizer, from a local directory.
 *
 * <p>The rules are vLLM's, which other engines share: a chat is its rendered template and nothing around it, a prompt
 * that is text gets what the model wants around a text, a prompt of token ids is taken as it is. Safe for use by
 * several threads; takes milliseconds for a long prompt, so never to be called on an event loop.
 */
public final class ModelTokens implements AutoCloseable {
    private final ModelTokenizer tokenizer;
    private final PromptTemplate template;

    private final String description;

    ModelTokens(ModelTokenizer tokenizer, PromptTemplate template, String description) {
        this.tokenizer = tokenizer;
        this.template = template;
        this.description = description;
    }

    /** A model of parts that are there; it closes the tokenizer. */
    public ModelTokens(ModelTokenizer tokenizer, PromptTemplate template) {
        this(tokenizer, template, tokenizer.describe());
    }

    /**
     * Reads a model's directory: {@code tokenizer.json}, {@code tokenizer_config.json}, {@code chat_template.jinja}.
     * Takes some seconds: the tokenizer is tested.
     *
     * @param cache shared by the models of a node
     * @param clock for templates that ask for the date: the engine's zone
     * @throws IOException naming the file that is missing or broken
     */
    public static ModelTokens load(Path directory, SegmentCache cache, Clock clock) throws IOException {
        return new ModelDirectory(directory).load(cache, clock);
    }

    /**
     * The tokens of a request.
     *
     * @throws UntokenizableException if the engine's tokens can't be known
     */
    public TokenizedPrompt of(JsonNode body) throws UntokenizableException {
        if (body.hasNonNull("prompt_embeds")) {
            throw new UntokenizableException("the prompt is embeddings");
        }
        try {
            TokenizedPrompt prompt = body.has("messages") ? chat(body) : completion(body);
            JsonNode truncate = body.path("truncate_prompt_tokens");
            return truncate.asInt() > 0 ? prompt.last(truncate.asInt()) : prompt;
        } catch (IllegalArgumentException e) {
            throw new UntokenizableException("the prompt is no Unicode text");
        }
    }

    private TokenizedPrompt chat(JsonNode body) throws UntokenizableException {
        if (body.hasNonNull("chat_template")) {
            throw new UntokenizableException("the request brings its own chat template");
        }
        PromptTemplate.Rendered rendered = template.render(body);
        String text = rendered.text();
        boolean special = body.path("add_special_tokens").asBoolean();
        int[] tokens = text(text, special);
        if (rendered.keyed() >= text.length()) {
            return TokenizedPrompt.exact(tokens);
        }
        int[] known = text(beforeLastBlank(text.substring(0, rendered.keyed())), special);
        int same = Arrays.mismatch(tokens, known);
        return new TokenizedPrompt(tokens, same < 0 ? tokens.length : same);
    }

    /** A token may reach over the end of what is known, but not over a blank before it. */
    private static String beforeLastBlank(String text) {
        int end = text.length();
        while (end > 0 && !Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        while (end > 0 && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }

    private TokenizedPrompt completion(JsonNode body) throws UntokenizableException {
        boolean special = body.path("add_special_tokens").asBoolean(true);
        return CompletionPrompt.read(body.path("prompt"), text -> text(text, special));
    }

    private int[] text(String text, boolean special) {
        return special ? tokenizer.tokensWithSpecials(text) : tokenizer.tokens(text);
    }

    /** Which tokenizer works here and why, and whether chats can be rendered. */
    public String describe() {
        return description;
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
