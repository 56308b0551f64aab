package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.kv.Prompt;
import io.kvrouter.worker.Demand;

/** Where prompts come from: the engine's tokens where they can be had, the text where not. */
@FunctionalInterface
public interface PromptSource {
    /** Takes the text for the prompt. */
    PromptSource TEXT = (demand, adapter, body, bytes) ->
            TurnPrompt.of(Prompt.ofText(body.prompt(), adapter, body.cacheSalt().orElse("")));

    /**
     * The prompt of one request.
     *
     * @param demand for whom, and for which model
     * @param adapter the model's name if it is an adapter's, else empty
     * @param bytes the whole body, as it came
     */
    TurnPrompt of(Demand demand, String adapter, CompletionBody body, byte[] bytes);
}
