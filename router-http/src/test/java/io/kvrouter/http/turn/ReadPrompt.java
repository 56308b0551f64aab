package io.kvrouter.http.turn;

import io.kvrouter.kv.Prompt;

/** Reads a turn's prompt, as a turn does. */
public final class ReadPrompt {
    private ReadPrompt() {}

    /** Starts to read it. */
    public static void start(TurnPrompt prompt) {
        var unused = prompt.read();
    }

    /** Waits until it is read. */
    public static Prompt of(TurnPrompt prompt) {
        return prompt.read().toCompletableFuture().join();
    }
}
