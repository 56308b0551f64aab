package io.kvrouter.http.models;

import io.kvrouter.worker.Fleet;
import java.util.Map;
import java.util.function.Supplier;

/** What the names of models in requests mean: an alias stands for another name, and a name may be an adapter's. */
public final class ModelNames {
    private final Supplier<Fleet> fleet;
    private final Map<String, String> aliases;

    /** @param aliases alias -> the name under which workers serve it */
    public ModelNames(Supplier<Fleet> fleet, Map<String, String> aliases) {
        this.fleet = fleet;
        this.aliases = Map.copyOf(aliases);
    }

    /** The name under which workers serve what a request calls so. An alias counts before a model of the same name. */
    public String resolve(String asked) {
        return aliases.getOrDefault(asked, asked);
    }

    /** The model's name if it is an adapter's, else empty. */
    public String adapter(String model) {
        boolean adapter = fleet.get().workers().stream()
                .anyMatch(worker -> worker.facts().adapters().contains(model));
        return adapter ? model : "";
    }

    /** The workers as this node sees them. */
    Fleet fleet() {
        return fleet.get();
    }

    /** Alias -> the name under which workers serve it. */
    Map<String, String> aliases() {
        return aliases;
    }
}
