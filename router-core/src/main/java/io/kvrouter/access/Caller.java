package io.kvrouter.access;

import io.kvrouter.admission.CallerShare;
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
 * @param share its weight among the callers that a node has no room for
 */
public record Caller(
        String name, Set<String> models, Optional<String> group, Set<Trust> trust, CallerLimits limits, int share) {
    /** Anybody from outside, where nobody needs a key: nameless, and not trusted. */
    public static final Caller STRANGER = nobody(Set.of());

    /** Anybody on this machine, where nobody needs a key: nameless, and trusted. */
    public static final Caller LOCAL = nobody(EnumSet.allOf(Trust.class));

    public Caller {
        if (!name.isEmpty()) {
            HolderName.require(name);
        }
        CallerShare.require(share);
        models = Set.copyOf(models);
        trust = Set.copyOf(trust);
        if (models.contains("") || group.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("models and group (expected: names, or left out)");
        }
    }

    private static Caller nobody(Set<Trust> trust) {
        return new Caller("", Set.of(), Optional.empty(), trust, CallerLimits.NONE, CallerShare.DEFAULT);
    }

    /** The caller of that name, with the rights of this one. */
    public Caller named(String other) {
        return new Caller(other, models, group, trust, limits, share);
    }

    /** By what it is admitted among others. */
    public CallerShare contends() {
        return new CallerShare(name, share);
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
