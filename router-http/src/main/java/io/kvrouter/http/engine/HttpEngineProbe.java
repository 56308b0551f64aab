package io.kvrouter.http.engine;

import io.kvrouter.http.access.WorkerCredentials;
import io.kvrouter.worker.EngineFacts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Asks OpenAI-compatible engines: {@code /health}, {@code /v1/models} and vLLM's {@code /metrics}. */
public final class HttpEngineProbe implements EngineProbe, AutoCloseable {
    private static final int OK = 200;

    private final HttpClient client;
    private final Duration timeout;
    private final String healthPath;
    private final WorkerCredentials credentials;
    private final BiConsumer<URI, String> models;

    /** @param models is told each engine's answer of {@code /v1/models} */
    public HttpEngineProbe(
            Duration timeout, String healthPath, WorkerCredentials credentials, BiConsumer<URI, String> models) {
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
        this.timeout = timeout;
        this.healthPath = healthPath;
        this.credentials = credentials;
        this.models = models;
    }

    @Override
    public CompletionStage<Answer> health(URI worker) {
        return get(worker, healthPath)
                .handle((response, failure) -> failure != null
                        ? refusedOrFailed(failure)
                        : response.statusCode() == OK ? Answer.HEALTHY : Answer.FAILED);
    }

    private static Answer refusedOrFailed(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return Answer.REFUSED;
            }
        }
        return Answer.FAILED;
    }

    @Override
    public CompletionStage<EngineFacts> facts(URI worker) {
        var lists = text(worker, "/v1/models");
        var metrics = text(worker, "/metrics");
        return lists.thenCombine(metrics, (list, exposition) -> {
            models.accept(worker, list);
            return EngineAnswers.models(list).orElse(EngineAnswers.metrics(exposition));
        });
    }

    /** The body of a successful answer; empty for any other. */
    private CompletableFuture<String> text(URI worker, String path) {
        return get(worker, path)
                .handle((response, failure) -> failure == null && response.statusCode() == OK ? response.body() : "");
    }

    private CompletableFuture<HttpResponse<String>> get(URI worker, String path) {
        try {
            var request = credentials
                    .sign(HttpRequest.newBuilder(URI.create(worker + path)), worker)
                    .timeout(timeout)
                    .build();
            var sent = client.sendAsync(request, BodyHandlers.ofString());
            // The request's own time-out ends with the head: a body that never ends would end all checks.
            return sent.copy()
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((response, failure) -> {
                        if (failure != null) {
                            sent.cancel(true);
                        }
                    });
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(new IOException("worker url", e));
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
