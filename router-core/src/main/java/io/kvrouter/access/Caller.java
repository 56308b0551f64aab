package io.kvrouter.access;

import io.kvrouter.worker.Registration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Who sends a request to the API, and what that one may. Its name is the scope of its sessions, so that two callers
 * never share one, whatever ids they choose.
 *
 * @param name of the holder of the key; empty where nobody needs a key
 * @param models names of models, adapters and aliases that it may ask for; empty = all
 * @param group the one routing group that its requests go to; empty = the default one, and with {@link Trust#OVERRIDES}
 *     any that a request names
 */
public record Caller(String name, Set<String> models, Optional<String> group, Set<Trust> trust, CallerLimits limits) {
    /** Anybody from outside, where nobody needs a key: nameless, and not trusted. */
    public static final Caller STRANGER = new Caller("", Set.of(), Optional.empty(), Set.of(), CallerLimits.NONE);

    /** Anybody on this machine, where nobody needs a key: nameless, and trusted. */
    public static final Caller LOCAL =
            new Caller("", Set.of(), Optional.empty(), EnumSet.allOf(Trust.class), CallerLimits.NONE);

    public Caller {
        if (!name.isEmpty()) {
            HolderName.require(name);
        }
        models = Set.copyOf(models);
        trust = Set.copyOf(trust);
        if (models.contains("") || group.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("models and group (expected: names, or left out)");
        }
    }

    /** The caller of that name, with the rights of this one. */
    public Caller named(String other) {
        return new Caller(other, models, group, trust, limits);
    }

    /** Whether it is known by a key. */
    public boolean known() {
        return !name.isEmpty();
    }

    /** Whether it may do this, beyond asking for a model. */
    public boolean trusts(Trust what) {
        return trust.contains(what);
    }

    /**
     * Whether it may ask for a model.
     *
     * @param asked as the request calls it; empty where it names none, which only those may who may ask for all
     * @param model as its workers call it
     */
    public boolean mayAsk(String asked, String model) {
        return models.isEmpty() || models.contains(asked) || models.contains(model);
    }

    /** The routing group of its requests that name none. */
    public String homeGroup() {
        return group.orElse(Registration.DEFAULT_GROUP);
    }

    /** Whether its requests may go to a routing group. */
    public boolean mayReach(String other) {
        return other.equals(homeGroup()) || (group.isEmpty() && trusts(Trust.OVERRIDES));
    }
}
