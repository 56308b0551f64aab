package io.kvrouter.sim.server;

import io.kvrouter.sim.api.AnswerJson;
import io.kvrouter.sim.api.ApiRequest;
import io.kvrouter.sim.api.Usage;
import io.kvrouter.sim.engine.EngineEvent;
import io.kvrouter.sim.engine.Passage;
import io.kvrouter.sim.tokens.Answer;
import io.kvrouter.sim.tokens.TokenIds;
import java.util.ArrayList;
import java.util.List;

/** One completion under way: a sequence in the engine for each choice, whose tokens become the answer. */
final class Completion {
    /** What a completion is made of besides the request. */
    record Order(ApiRequest request, String adapter, Answer answer, String reason) {
        Passage passage(TokenIds prompt, int blockSize) {
            var scope = new Passage.Scope(adapter, request.cacheSalt());
            return Passage.ofTokens(scope, prompt.toArray(), answer.tokens().toArray(), blockSize);
        }
    }

    private final Order order;
    private final AnswerJson json;
    private final Exchange exchange;
    private final LoggedRequest logged;
    private final List<Long> sequences = new ArrayList<>();
    private int choicesLeft;
    private int cachedTokens;

    Completion(Order order, AnswerJson json, Exchange exchange, LoggedRequest logged) {
        this.order = order;
        this.json = json;
        this.exchange = exchange;
        this.logged = logged;
        this.choicesLeft = order.request().choices();
    }

    void start(LiveEngine engine, int blockSize) {
        ApiRequest request = order.request();
        exchange.onGiveUp(() -> sequences.forEach(engine::abort));
        if (request.delivery().streams()) {
            exchange.startEvents();
        }
        int choice = 0;
        for (TokenIds prompt : request.prompts()) {
            Passage passage = order.passage(prompt, blockSize);
            for (int sample = 0; sample < request.samples(); sample++) {
                int index = choice++;
                sequences.add(engine.submit(passage, event -> on(index, event)));
            }
        }
    }

    private void on(int choice, EngineEvent event) {
        switch (event) {
            case EngineEvent.Admitted admitted -> onAdmitted(choice, admitted.cachedTokens());
            case EngineEvent.Token token -> onToken(choice, token);
            case EngineEvent.Preempted ignored -> {}
        }
    }

    /** Further samples of a prompt find its blocks too, but that prompt is in the usage once. */
    private void onAdmitted(int choice, int cached) {
        if (choice % order.request().samples() == 0) {
            cachedTokens += cached;
            logged.foundCached(cached);
        }
    }

    private void onToken(int choice, EngineEvent.Token token) {
        boolean streams = order.request().delivery().streams();
        if (streams) {
            stream(choice, token);
        }
        if (token.last() && --choicesLeft == 0) {
            if (streams) {
                endStream();
            } else {
                exchange.answer(200, "application/json", json.whole(order.reason(), usage()));
            }
        }
        exchange.flush();
    }

    private void stream(int choice, EngineEvent.Token token) {
        if (token.index() == 0 && order.request().chat()) {
            exchange.send(json.roleEvent(choice));
        }
        exchange.send(json.tokenEvent(choice, token.index()));
        if (token.last()) {
            exchange.send(json.finishEvent(choice, order.reason()));
        }
    }

    private void endStream() {
        if (order.request().delivery() == ApiRequest.Delivery.STREAM_WITH_USAGE) {
            exchange.send(json.usageEvent(usage()));
        }
        exchange.send(AnswerJson.doneEvent());
        exchange.finish();
    }

    private Usage usage() {
        ApiRequest request = order.request();
        return new Usage(
                request.promptTokens(),
                request.choices() * order.answer().tokens().count(),
                cachedTokens);
    }
}
