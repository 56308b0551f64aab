package io.kvrouter.access;

/** What a caller may do beyond asking for a model. None of it follows from another. */
public enum Trust {
    /** Narrow a request's workers, name one, choose a routing group, weigh costs: {@code x-router-*} headers. */
    OVERRIDES,
    /** Be served before others. */
    PRIORITY,
    /** Call the selection API, which sees the load of all workers and books on them. */
    SELECTION
}
