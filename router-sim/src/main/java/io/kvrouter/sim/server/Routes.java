package io.kvrouter.sim.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.sim.api.AnswerJson;
import io.kvrouter.sim.api.ApiRequest;
import io.kvrouter.sim.api.FaultOrder;
import io.kvrouter.sim.api.Json;
import io.kvrouter.sim.api.MetricsText;
import io.kvrouter.sim.api.ModelsJson;
import io.kvrouter.sim.api.Refused;
import io.kvrouter.sim.api.RequestFaults;
import io.kvrouter.sim.api.RequestReader;
import io.kvrouter.sim.tokens.Answer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Which request does what on a worker. */
final class Routes {
    private static final String JSON = "application/json";

    private final SimulatedWorker worker;
    private final WorkerCore core;
    private final SimSettings settings;
    private final RequestReader reader;

    Routes(SimulatedWorker worker, WorkerCore core) {
        this.worker = worker;
        this.core = core;
        this.settings = core.settings();
        this.reader = new RequestReader(settings.tokens());
    }

    void serve(Exchange exchange, Connection connection) {
        try {
            dispatch(exchange, connection);
        } catch (Refused refused) {
            exchange.refuse(refused);
        }
    }

    private void dispatch(Exchange exchange, Connection connection) {
        byte[] body = exchange.body();
        switch (exchange.head().method() + " " + exchange.head().path()) {
            case "POST /v1/chat/completions" -> complete(exchange, reader::chat);
            case "POST /v1/completions" -> complete(exchange, reader::completion);
            case "POST /tokenize" -> json(exchange, tokens(body));
            case "GET /v1/models" -> json(exchange, models());
            case "GET /health" -> exchange.answer(core.healthStatus(), "text/plain", new byte[0]);
            case "GET /metrics" -> exchange.answer(200, "text/plain; version=0.0.4; charset=utf-8", metrics());
            case "GET /sim/requests" -> json(exchange, requests());
            case "DELETE /sim/requests" -> {
                core.log().clear();
                json(exchange, Json.bytes(Json.object()));
            }
            case "GET /sim/state" -> json(exchange, Json.bytes(state()));
            case "POST /sim/faults" -> fault(exchange, connection, FaultOrder.read(body));
            default -> throw nothingHere();
        }
    }

    private static Refused nothingHere() {
        return Refused.withStatus(404, "nothing here (expected: a path and method of the vLLM API)");
    }

    private byte[] tokens(byte[] body) {
        if (!core.tokenizes()) {
            throw nothingHere();
        }
        return ModelsJson.tokens(reader.tokenize(body), maxModelLen());
    }

    private static void json(Exchange exchange, byte[] body) {
        exchange.answer(200, JSON, body);
    }

    /** Completions only: logged, and subject to faults. */
    private void complete(Exchange exchange, Function<byte[], ApiRequest> reading) {
        var head = exchange.head();
        var logged = new LoggedRequest(core.nowMs(), head.path(), head.headers(), exchange.body());
        core.log().add(logged);
        exchange.logTo(logged);
        var faults = RequestFaults.of(head.headers()::get);
        exchange.cutAfter(faults.cutAfterBytes());
        if (faults.stall()) {
            return;
        }
        Runnable answer = () -> answer(exchange, logged, faults.status(), reading);
        if (faults.delayMs() == 0) {
            answer.run();
        } else {
            var unused = core.loop().schedule(answer, faults.delayMs(), TimeUnit.MILLISECONDS);
        }
    }

    private void answer(Exchange exchange, LoggedRequest logged, int status, Function<byte[], ApiRequest> reading) {
        if (exchange.ended()) {
            return;
        }
        try {
            int fault = status != 0 ? status : core.faultStatus();
            if (fault != 0) {
                throw Refused.withStatus(fault, "a fault as ordered");
            }
            start(exchange, logged, reading.apply(exchange.body()));
        } catch (Refused refused) {
            exchange.refuse(refused);
        }
    }

    private void start(Exchange exchange, LoggedRequest logged, ApiRequest request) {
        String model = request.model().isEmpty() ? settings.model() : request.model();
        logged.asked(model, request.promptTokens());
        if (!settings.serves(model)) {
            throw Refused.unknownModel(model);
        }
        Ranks.Rank rank = core.ranks().choose(exchange.head().headers()::get);
        logged.servedBy(rank.number());
        int output = request.maxTokens().orElse(settings.defaultOutputTokens());
        checkLength(request, output);
        String reason = request.maxTokens().isPresent() ? "length" : "stop";
        Answer filler = settings.tokens().answer(output);
        var order = new Completion.Order(request, settings.adapterOf(model), filler, reason);
        String id = worker.port() + "-" + core.nextCompletion();
        var json = new AnswerJson(id, core.nowMs() / 1_000, model, request, filler);
        new Completion(order, json, exchange, logged)
                .start(rank.engine(), settings.engine().blockSize());
    }

    private void checkLength(ApiRequest request, int output) {
        for (var prompt : request.prompts()) {
            if ((long) prompt.count() + output > maxModelLen()) {
                throw Refused.tooLong("This model's maximum context length is " + maxModelLen()
                        + " tokens. However, you requested " + ((long) prompt.count() + output) + " tokens ("
                        + prompt.count() + " in the prompt, " + output + " in the completion).");
            }
        }
    }

    private long maxModelLen() {
        return settings.engine().capacityTokens();
    }

    private byte[] models() {
        return ModelsJson.list(settings.models(), settings.adapters(), (long) core.startedAtS(), maxModelLen());
    }

    private byte[] metrics() {
        return MetricsText.of(
                        settings.model(),
                        core.startedAtS(),
                        settings.engine(),
                        settings.ranks(),
                        core.ranks().stats())
                .getBytes(StandardCharsets.UTF_8);
    }

    private byte[] requests() {
        return Json.bytes(Json.array().addAll(core.log().all()));
    }

    /** The connection that asks is not counted. */
    private ObjectNode state() {
        var stats = core.ranks().stats();
        ObjectNode json = Json.object()
                .put("open_connections", core.connections().size() - 1)
                .put("running", stats.running())
                .put("waiting", stats.waiting())
                .put("active_blocks", stats.activeBlocks())
                .put("cached_blocks", stats.cachedBlocks())
                .put("process_start_time_seconds", core.startedAtS());
        core.ranks().endpoints().ifPresent(endpoints -> json.set("kv_events", endpoints));
        return json;
    }

    /** Answers when it is done; the answer still gets through if that closes the port. */
    private void fault(Exchange exchange, Connection connection, FaultOrder order) {
        var unused = worker.neighbour(order.worker().orElse(worker.port()))
                .orElseThrow(() -> Refused.badRequest("worker: no such port in this process"))
                .order(order, connection)
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (failure == null) {
                                json(exchange, Json.bytes(Json.object()));
                            } else if (failure.getCause() instanceof Refused refused) {
                                exchange.refuse(refused);
                            } else {
                                exchange.refuse(Refused.withStatus(409, "the port is in use"));
                            }
                        },
                        core.loop());
    }
}
