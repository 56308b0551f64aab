package io.kvrouter.http.turn;

import io.kvrouter.http.openai.Usage;
import io.kvrouter.http.turn.TurnPorts.TurnMeter;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.kv.Prompt;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a turn's tokens come to: by its engine's word, and where that says nothing by what was read and counted here. The
 * meter hears of an exact prompt as soon as a worker has computed it, of all else at the turn's end; of no answer that is
 * an error. Guarded by its turn.
 */
final class TurnTokens {
    private final TurnMeter meter;
    private final TurnPrompt prompt;
    private Usage usage = Usage.UNTOLD;
    private boolean begun;
    private boolean over;
    private long output;
    private long told;

    TurnTokens(TurnMeter meter, TurnPrompt prompt) {
        this.meter = meter;
        this.prompt = prompt;
    }

    /** Whether anybody wants to know of tokens that no engine tells. */
    boolean wanted() {
        return meter.countsTokens();
    }

    /** A worker has computed the prompt, or was about to, if that is so. */
    void begin(boolean computed) {
        if (computed && !begun && !over) {
            begun = true;
            exact().ifPresent(known -> tell(known.tokens()));
        }
    }

    private Optional<Prompt> exact() {
        return prompt.known().filter(Prompt::exact);
    }

    /** The answer has so many tokens by now, by their events. */
    void output(long tokens) {
        output = tokens;
    }

    /**
     * The engine tells of its tokens.
     *
     * @param predicted of the prompt, that should have been in its cache
     */
    void used(Usage by, OptionalLong predicted) {
        usage = by;
        meter.used(by);
        if (by.cachedTokens().isPresent() && predicted.isPresent() && exact().isPresent()) {
            meter.compare(predicted.getAsLong(), by.cachedTokens().getAsLong());
        }
    }

    /** No more tokens. Only the first end counts. */
    void end() {
        boolean counts = begun && !over;
        over = true;
        if (counts) {
            tell(usage.promptTokens().orElseGet(prompt::tokens)
                    + usage.outputTokens().orElse(output));
        }
    }

    private void tell(long all) {
        if (all > told) {
            meter.spends(all - told);
            told = all;
        }
    }
}
