package io.kvrouter.http.turn;

import io.kvrouter.booking.Explanation;
import io.kvrouter.booking.SessionMode;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.kv.Prompt;
import io.kvrouter.selection.Candidate;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.session.Binding;
import io.kvrouter.worker.WorkerId;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Says where a turn would go, and why. Books nothing, binds nothing, refreshes nothing. */
public final class Explainer {
    private final TurnPorts ports;

    public Explainer(TurnPorts ports) {
        this.ports = ports;
    }

    /**
     * What decides about a turn.
     *
     * @param bound the worker of its session, if it has one
     * @param follows the turn would go there, whatever the others cost
     * @param explanation what a selection by cost sees and chooses
     */
    public record Explained(
            TurnRequest request, Prompt prompt, Optional<Binding> bound, boolean follows, Explanation explanation) {

        /** What may move the turn away from its session's worker. */
        public SessionMode mode() {
            return request.session().map(TurnRequest.Affinity::mode).orElse(SessionMode.OFF);
        }

        /** It would be refused, because its session's worker is busy. */
        public boolean waits() {
            return follows
                    && request.hard()
                    && request.override().isEmpty()
                    && explanation.candidates().stream().anyMatch(candidate -> candidate.busy() && isBound(candidate));
        }

        private boolean isBound(Candidate candidate) {
            return bound.filter(b -> b.worker().equals(candidate.place().worker()))
                    .filter(b -> b.rank() == candidate.place().rank())
                    .isPresent();
        }
    }

    /** Reads the prompt as the turn would, and looks at all workers that it could go to. */
    public CompletionStage<Explained> explain(TurnRequest request) {
        Optional<Binding> bound =
                request.session().flatMap(session -> ports.sessions().usable(session.key()));
        return request.prompt()
                .read()
                .thenCompose(prompt -> ports.desk()
                        .explain(selection(request, prompt))
                        .thenApply(explanation -> new Explained(
                                request,
                                prompt,
                                bound,
                                bound.filter(b -> follows(request, b.worker())).isPresent(),
                                explanation)));
    }

    private static SelectionRequest selection(TurnRequest request, Prompt prompt) {
        var session = request.session().map(TurnRequest.Affinity::key);
        return new SelectionRequest(request.demand(), Set.of(), prompt, session, request.factors(), request.override());
    }

    private boolean follows(TurnRequest request, WorkerId bound) {
        return request.override().map(bound::equals).orElse(true)
                && ports.fleet().get().eligible(request.demand(), bound).isPresent();
    }
}
