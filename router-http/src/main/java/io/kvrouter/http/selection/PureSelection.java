package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.selection.ReservationJson.Choice;
import io.kvrouter.http.turn.Decision;
import io.kvrouter.http.turn.Explainer;
import io.kvrouter.http.turn.Explainer.Explained;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.selection.Candidate;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.Selection;
import io.kvrouter.session.Binding;
import java.util.concurrent.CompletionStage;

/** {@code POST /select}: where a turn would go now. Binds nothing, refreshes nothing, books nothing. */
final class PureSelection {
    private final TurnPorts ports;
    private final Explainer explainer;

    PureSelection(TurnPorts ports) {
        this.ports = ports;
        this.explainer = new Explainer(ports);
    }

    CompletionStage<JsonNode> of(TurnRequest request) {
        return explainer.explain(request).thenApply(this::answer);
    }

    private JsonNode answer(Explained explained) {
        if (explained.waits()) {
            throw new ApiException(ports.refusal(explained.request().demand(), Refusal.BOUND_BUSY));
        }
        if (explained.follows()) {
            Binding bound = explained.bound().orElseThrow();
            var choice = new Choice(bound.worker(), bound.rank(), Decision.PINNED.header());
            return answer(explained, choice, cachedAt(explained, bound));
        }
        return switch (explained.explanation().selection()) {
            case Selection.Chosen chosen -> {
                var place = chosen.place();
                var why = explained.bound().isPresent() ? Decision.REBOUND : Decision.SELECTED;
                long cached = chosen.overlap()
                        .tokens(place.blockSize(), explained.prompt().tokens());
                yield answer(explained, new Choice(place.worker(), place.rank(), why.header()), cached);
            }
            case Refusal why ->
                throw new ApiException(ports.refusal(explained.request().demand(), why));
        };
    }

    private JsonNode answer(Explained explained, Choice choice, long cached) {
        return ReservationJson.selected(explained, choice, ports.fleet().get(), cached);
    }

    private static long cachedAt(Explained explained, Binding bound) {
        return explained.explanation().candidates().stream()
                .filter(candidate -> candidate.place().worker().equals(bound.worker())
                        && candidate.place().rank() == bound.rank())
                .mapToLong(candidate -> cached(explained, candidate))
                .findFirst()
                .orElse(0);
    }

    private static long cached(Explained explained, Candidate candidate) {
        return candidate
                .overlap()
                .tokens(candidate.place().blockSize(), explained.prompt().tokens());
    }
}
