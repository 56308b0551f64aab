package io.kvrouter.http.engine;

import io.kvrouter.worker.EngineFacts;
import java.net.URI;
import java.util.concurrent.CompletionStage;

/** Asks an engine how it is. Checks go beside the requests: they never touch load. */
public interface EngineProbe {
    /** What a health check found. */
    enum Answer {
        /** Healthy. */
        HEALTHY,
        /** Timed out, reset, or answered with an error. */
        FAILED,
        /** The connect was refused: nobody is there. */
        REFUSED
    }

    /** A health check; the stage never fails. */
    CompletionStage<Answer> health(URI worker);

    /** What the engine tells of itself; what it does not tell stays unknown, and the stage never fails. */
    CompletionStage<EngineFacts> facts(URI worker);
}
