package io.kvrouter.http.management;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.turn.Decision;
import io.kvrouter.http.turn.Explainer.Explained;
import io.kvrouter.load.Place;
import io.kvrouter.overlap.Overlap;
import io.kvrouter.selection.Candidate;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.Selection;
import io.kvrouter.selection.SelectionSettings;
import java.util.Locale;

/** An explanation as it is answered. Of the prompt it has lengths only. */
final class ExplanationJson {
    private ExplanationJson() {}

    static ObjectNode of(Explained explained, SelectionSettings settings) {
        var demand = explained.request().demand();
        ObjectNode json = Json.object();
        json.put("model", demand.model());
        json.put("group", demand.group());
        json.putObject("prompt")
                .put("tokens", explained.prompt().tokens())
                .put("exact", explained.prompt().exact());
        explained
                .bound()
                .ifPresent(bound -> json.putObject("session")
                        .put("worker", bound.worker().value())
                        .put("rank", bound.rank())
                        .put("follows", explained.follows())
                        .put("mode", explained.mode().text()));
        json.put("policy", settings.policy().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        CostFactors factors = explained.request().factors().orElse(settings.factors());
        ObjectNode cost = json.putObject("cost");
        CostFactors.NAMES.forEach(name -> cost.put(name, factors.value(name)));
        ArrayNode candidates = json.putArray("candidates");
        explained.explanation().candidates().forEach(c -> candidates.add(candidate(c, explained)));
        json.set("choice", choice(explained));
        return json;
    }

    private static ObjectNode candidate(Candidate candidate, Explained explained) {
        Place place = candidate.place();
        ObjectNode json = place(place);
        json.put("block_size", place.blockSize());
        json.put("prompt_blocks", explained.prompt().chain(place.blockSize()).length());
        Overlap overlap = candidate.overlap();
        json.putObject("overlap_blocks")
                .put("device", overlap.device())
                .put("host", overlap.host())
                .put("disk", overlap.disk());
        json.put("overlap_tokens", tokens(overlap, place, explained));
        json.put("new_blocks", candidate.newBlocks());
        json.set("load", LoadJson.load(candidate.load()));
        json.put("busy", candidate.busy());
        json.put("cost", candidate.cost());
        return json;
    }

    private static ObjectNode choice(Explained explained) {
        if (explained.waits()) {
            return Json.object().put("refused", Refusal.BOUND_BUSY.name().toLowerCase(Locale.ROOT));
        }
        if (explained.follows()) {
            var bound = explained.bound().orElseThrow();
            return Json.object()
                    .put("worker", bound.worker().value())
                    .put("rank", bound.rank())
                    .put("decision", Decision.PINNED.header());
        }
        return switch (explained.explanation().selection()) {
            case Selection.Chosen chosen ->
                place(chosen.place())
                        .put(
                                "decision",
                                (explained.bound().isPresent() ? Decision.REBOUND : Decision.SELECTED).header())
                        .put("overlap_tokens", tokens(chosen.overlap(), chosen.place(), explained));
            case Refusal why -> Json.object().put("refused", why.name().toLowerCase(Locale.ROOT));
        };
    }

    private static ObjectNode place(Place place) {
        return Json.object().put("worker", place.worker().value()).put("rank", place.rank());
    }

    private static long tokens(Overlap overlap, Place place, Explained explained) {
        return overlap.tokens(place.blockSize(), explained.prompt().tokens());
    }
}
