package io.kvrouter.access;

import java.util.EnumSet;
import java.util.Set;

/**
 * Who calls the management port, and what that one may.
 *
 * @param name of the holder of the key; empty where nobody needs a key
 * @param rights each by itself: who may change things need not be able to read them
 */
public record Operator(String name, Set<Right> rights) {
    /** Anybody, where nobody needs a key. */
    public static final Operator ANYBODY = new Operator("", EnumSet.allOf(Right.class));

    /** What there is to be allowed at the management port. */
    public enum Right {
        /** See workers, load, sessions, metrics, and ask where a request would go. */
        READ,
        /** Register, drain and remove workers, end sessions. */
        CHANGE
    }

    public Operator {
        if (!name.isEmpty()) {
            HolderName.require(name);
        }
        rights = Set.copyOf(rights);
    }

    public boolean may(Right what) {
        return rights.contains(what);
    }
}
