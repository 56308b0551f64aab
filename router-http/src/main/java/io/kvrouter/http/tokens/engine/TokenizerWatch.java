package io.kvrouter.http.tokens.engine;

import io.kvrouter.http.tokens.LoadedModels;
import io.kvrouter.http.tokens.engine.TokenizerCheck.Result;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.Worker.Health;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has each worker's tokenizer compared with this node's, once in each life of the engine. Where they differ the operator
 * is told at the worker, and the model's prompts are tokenized by the engines as long as such a worker is there.
 */
public final class TokenizerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(TokenizerWatch.class);
    private static final long RETRY_SECONDS = 10;

    private final LoadedModels models;
    private final TokenizerCheck check;
    private final Consumer<Fleet> listener;
    private final Map<WorkerId, Checked> checked = new TreeMap<>();
    private Fleet fleet = Fleet.EMPTY;

    /**
     * One worker's check.
     *
     * @param result empty while it is under way
     */
    private record Checked(URI url, long incarnation, String model, Optional<Result> result) {
        boolean isOf(Worker worker) {
            return url.equals(worker.registration().url()) && incarnation == worker.incarnation();
        }

        boolean differs() {
            return result.filter(Result.Differs.class::isInstance).isPresent();
        }
    }

    /** Watches; {@code listener} gets each fleet, with what the operator should know of the workers' tokenizers. */
    public TokenizerWatch(LoadedModels models, TokenizerCheck check, Consumer<Fleet> listener) {
        this.models = models;
        this.check = check;
        this.listener = listener;
    }

    /** From now on these workers. */
    public synchronized void fleet(Fleet changed) {
        fleet = changed;
        checked.keySet().removeIf(id -> changed.worker(id).isEmpty());
        for (Worker worker : changed.workers()) {
            if (worker.health() == Health.UP) {
                model(worker).ifPresent(model -> check(worker, model));
            }
        }
        publish();
    }

    private Optional<String> model(Worker worker) {
        return worker.facts().models().stream()
                .filter(models.names()::contains)
                .sorted()
                .findFirst();
    }

    private void check(Worker worker, String model) {
        Checked before = checked.get(worker.id());
        if (before != null && before.isOf(worker) && before.model().equals(model)) {
            return;
        }
        var begun = new Checked(worker.registration().url(), worker.incarnation(), model, Optional.empty());
        checked.put(worker.id(), begun);
        var tokens = models.get(model).orElseThrow();
        check.check(begun.url(), model, tokens)
                .exceptionally(failure -> new Result.Unknown("the check failed"))
                .thenAccept(result -> done(worker.id(), begun, result));
    }

    private synchronized void done(WorkerId id, Checked begun, Result result) {
        if (!begun.equals(checked.get(id))) {
            return; // gone, or another one by now
        }
        checked.put(id, new Checked(begun.url(), begun.incarnation(), begun.model(), Optional.of(result)));
        if (result instanceof Result.Unknown) {
            CompletableFuture.delayedExecutor(RETRY_SECONDS, TimeUnit.SECONDS).execute(() -> again(id));
        }
        warning(checked.get(id)).ifPresent(warning -> LOG.warn("worker {}: {}", id, warning));
        publish();
    }

    private synchronized void again(WorkerId id) {
        if (checked.remove(id) != null) {
            fleet(fleet);
        }
    }

    private void publish() {
        for (String model : models.names()) {
            if (checked.values().stream().anyMatch(one -> one.model().equals(model) && one.differs())) {
                models.distrust(model);
            } else {
                models.trust(model);
            }
        }
        listener.accept(new Fleet(fleet.workers().stream().map(this::warned).toList()));
    }

    private Worker warned(Worker worker) {
        Optional<String> warning = Optional.ofNullable(checked.get(worker.id())).flatMap(TokenizerWatch::warning);
        if (warning.isEmpty()) {
            return worker;
        }
        List<String> warnings = new ArrayList<>(worker.warnings());
        warnings.add(warning.get());
        return worker.with(warnings);
    }

    private static Optional<String> warning(Checked one) {
        return one.result().flatMap(result -> switch (result) {
            case Result.Differs(String sample, int index) ->
                Optional.of("Its tokens of model " + one.model() + " are not those of the files that this router has ("
                        + sample + ", token " + index + "): the model's prompts are tokenized by the engines.");
            case Result.Exact exact -> Optional.<String>empty();
            case Result.NotOffered notOffered -> Optional.<String>empty();
            case Result.Unknown unknown -> Optional.<String>empty();
        });
    }
}
