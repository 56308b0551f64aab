package io.kvrouter.sim.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.http.tokens.UntokenizableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tokens that a model's own files make: its chat template and its tokenizer. So the worker has the prompts of a real
 * engine with this model; only its answers are the simulated worker's filler.
 */
public final class FileTokens implements WorkerTokens {
    /** No tokenizer has tokens that are longer in the filler. */
    private static final int LONGEST_TOKEN = 8;

    private static final int REMEMBERED = 4_096;
    private static final int WORD = FillerText.word(0).length();

    private final ModelTokens model;
    private final Map<Integer, Answer> answers = new ConcurrentHashMap<>();

    /** Uses a model until the worker is closed; whoever loaded the model closes it. */
    public FileTokens(ModelTokens model) {
        this.model = model;
    }

    @Override
    public TokenIds ofChat(JsonNode request) throws UntokenizableException {
        return TokenIds.of(model.of(request).tokens());
    }

    @Override
    public TokenIds ofText(String prompt, JsonNode request) throws UntokenizableException {
        ObjectNode one = JsonNodeFactory.instance.objectNode();
        one.setAll((ObjectNode) request);
        return TokenIds.of(model.of(one.put("prompt", prompt)).tokens());
    }

    /** The longest text that has no more tokens than this, but one of one token at least. */
    @Override
    public Answer answer(int tokens) {
        Answer known = answers.get(tokens);
        if (known != null) {
            return known;
        }
        Answer found = longest(tokens);
        if (answers.size() < REMEMBERED) {
            answers.put(tokens, found);
        }
        return found;
    }

    private Answer longest(int tokens) {
        String filler = FillerText.of(Math.ceilDiv(tokens * LONGEST_TOKEN, WORD));
        int fits = 1;
        int longer = filler.length() + 1;
        while (fits + 1 < longer) {
            int middle = (fits + longer) >>> 1;
            if (plain(filler.substring(0, middle)).length <= tokens) {
                fits = middle;
            } else {
                longer = middle;
            }
        }
        String text = filler.substring(0, fits);
        return new PiecewiseAnswer(text, plain(text));
    }

    private int[] plain(String text) {
        try {
            return model.of(JsonNodeFactory.instance
                            .objectNode()
                            .put("prompt", text)
                            .put("add_special_tokens", false))
                    .tokens();
        } catch (UntokenizableException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The text in equal pieces: which token has which letters nobody asks. */
    private static final class PiecewiseAnswer implements Answer {
        private final String text;
        private final TokenIds tokens;

        PiecewiseAnswer(String text, int[] ids) {
            this.text = text;
            this.tokens = TokenIds.of(ids);
        }

        @Override
        public TokenIds tokens() {
            return tokens;
        }

        @Override
        public String piece(int index) {
            return text.substring(start(index), start(index + 1));
        }

        @Override
        public String text() {
            return text;
        }

        private int start(int index) {
            return (int) ((long) text.length() * index / tokens.count());
        }
    }
}
