package io.kvrouter.http.engine;

import io.kvrouter.http.access.WorkerCredentials;
import io.kvrouter.worker.EngineFacts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks OpenAI-compatible engines: {@code /health}, {@code /v1/models} and vLLM's {@code /metrics}. */
public final class HttpEngineProbe implements EngineProbe, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEngineProbe.class);
    private static final int OK = 200;

    private final HttpClient client;
    private final Duration timeout;
    private final String healthPath;
    private final WorkerCredentials credentials;
    private final BiConsumer<URI, String> models;
    private final Map<URI, String> distrusted = new ConcurrentHashMap<>();

    /**
     * A probe.
     *
     * @param tls by which workers are spoken to where their URL says https
     * @param models is told each engine's answer of {@code /v1/models}
     */
    public HttpEngineProbe(
            Duration timeout,
            String healthPath,
            SSLContext tls,
            WorkerCredentials credentials,
            BiConsumer<URI, String> models) {
        this.client = EngineClient.create(timeout, tls);
        this.timeout = timeout;
        this.healthPath = healthPath;
        this.credentials = credentials;
        this.models = models;
    }

    @Override
    public CompletionStage<Answer> health(URI worker) {
        return get(worker, healthPath).handle((response, failure) -> {
            if (failure != null) {
                return failed(worker, new FailedCheck(failure));
            }
            distrusted.remove(worker);
            int status = response.statusCode();
            return status == OK ? Answer.HEALTHY : Answer.failed("its health check is answered with status " + status);
        });
    }

    private Answer failed(URI worker, FailedCheck check) {
        check.cause(SSLException.class).ifPresent(why -> distrusted(worker, why));
        String why = check.inWords(timeout);
        return check.refused() ? Answer.refused(why) : Answer.failed(why);
    }

    /** Whoever set up the certificates must know, and once. */
    private void distrusted(URI worker, SSLException why) {
        String message = String.valueOf(why.getMessage());
        if (!message.equals(distrusted.put(worker, message))) {
            LOG.warn("worker at {}: no TLS with it ({})", worker, message);
        }
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
            return CompletableFuture.failedFuture(new IOException("its URL or credential can't be sent", e));
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
