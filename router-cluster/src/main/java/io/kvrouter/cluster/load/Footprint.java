package io.kvrouter.cluster.load;

import io.kvrouter.load.ResidentTokens;
import java.util.Collection;
import java.util.List;

/**
 * What the sessions whose actors live on this node keep resident on the workers: for each worker and rank the context
 * tokens of those that were active lately. Asked about once a second, by the load actor: the answer must be at hand.
 */
@FunctionalInterface
public interface Footprint {
    /** No sessions. */
    Footprint NONE = List::of;

    Collection<ResidentTokens> footprint();
}
