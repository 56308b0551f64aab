package io.kvrouter.http.engine;

import io.kvrouter.worker.EngineFacts;
import java.net.URI;
import java.util.concurrent.CompletionStage;

/** Asks an engine how it is. Checks go beside the requests: they never touch load. */
public interface EngineProbe {
    /**
     * What a health check found.
     *
     * @param why what failed, in words for the operator; empty where nothing did
     */
    record Answer(Kind kind, String why) {
        static final Answer HEALTHY = new Answer(Kind.HEALTHY, "");

        /** Its kinds. */
        enum Kind {
            /** Healthy. */
            HEALTHY,
            /** Timed out, reset, or answered with an error. */
            FAILED,
            /** The connect was refused: nobody is there. */
            REFUSED
        }

        static Answer failed(String why) {
            return new Answer(Kind.FAILED, why);
        }

        static Answer refused(String why) {
            return new Answer(Kind.REFUSED, why);
        }

        boolean healthy() {
            return kind == Kind.HEALTHY;
        }
    }

    /** A health check; the stage never fails. */
    CompletionStage<Answer> health(URI worker);

    /** What the engine tells of itself; what it does not tell stays unknown, and the stage never fails. */
    CompletionStage<EngineFacts> facts(URI worker);
}
