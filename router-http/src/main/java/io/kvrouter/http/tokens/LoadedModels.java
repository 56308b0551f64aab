package io.kvrouter.http.tokens;

import io.kvrouter.http.settings.SettingException;
import io.kvrouter.http.settings.TokenSettings;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The models whose files this node was given, by the name under which requests ask for them. An adapter has the tokens
 * of its base model: the one that a worker with this adapter serves.
 *
 * <p>A model for which an engine was seen to make other tokens is not used, until it is trusted again.
 */
public final class LoadedModels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadedModels.class);

    private final Map<String, ModelTokens> models;
    private final Supplier<Fleet> fleet;
    private final Set<String> distrusted = ConcurrentHashMap.newKeySet();

    /** Takes the models over: {@link #close} closes them. */
    public LoadedModels(Map<String, ModelTokens> models, Supplier<Fleet> fleet) {
        this.models = Map.copyOf(models);
        this.fleet = fleet;
    }

    /**
     * Reads the directories that the settings name, one after the other.
     *
     * @throws SettingException with the key of the first that can't be used
     */
    public static LoadedModels load(TokenSettings settings, SegmentCache cache, Clock clock, Supplier<Fleet> fleet) {
        Map<String, ModelTokens> models = new HashMap<>();
        settings.directories().forEach((name, directory) -> {
            try {
                ModelTokens model = ModelTokens.load(directory, cache, clock);
                models.put(name, model);
                LOG.info("model {}: {}", name, model.describe());
            } catch (IOException e) {
                models.values().forEach(ModelTokens::close);
                throw new SettingException(TokenSettings.key(name), String.valueOf(e.getMessage()));
            }
        });
        return new LoadedModels(models, fleet);
    }

    /**
     * The tokens of the model that a request asks for.
     *
     * @param adapter the requested name if it is an adapter's, else empty
     */
    public Optional<ModelTokens> of(Demand demand, String adapter) {
        Optional<String> name = adapter.isEmpty() ? Optional.of(demand.model()) : base(demand, adapter);
        return name.filter(model -> !distrusted.contains(model)).map(models::get);
    }

    private Optional<String> base(Demand demand, String adapter) {
        return fleet.get().workers().stream()
                .filter(worker -> worker.registration().group().equals(demand.group()))
                .map(worker -> worker.facts())
                .filter(facts -> facts.adapters().contains(adapter))
                .map(facts -> facts.models())
                .flatMap(Collection::stream)
                .filter(models::containsKey)
                .findFirst();
    }

    /** The tokens of a model, distrusted or not. */
    public Optional<ModelTokens> get(String model) {
        return Optional.ofNullable(models.get(model));
    }

    /** Their names. */
    public Set<String> names() {
        return models.keySet();
    }

    /** Leaves a model's tokens to the engines. */
    public void distrust(String model) {
        distrusted.add(model);
    }

    /** Makes a model's tokens here again. */
    public void trust(String model) {
        distrusted.remove(model);
    }

    @Override
    public void close() {
        models.values().forEach(ModelTokens::close);
    }
}
