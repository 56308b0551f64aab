package io.kvrouter.kv.event;

/** One event of a batch, as read: what cannot be read is an event too, so that it costs only itself. */
public sealed interface KvEvent
        permits BlocksStored, BlocksRemoved, KvEvent.AllCleared, KvEvent.Malformed, KvEvent.Unknown {
    /** The engine reset its prefix cache: every block of the rank is gone. */
    record AllCleared() implements KvEvent {}

    /** An event, or the rest of a batch, that does not read as what it says it is. */
    record Malformed() implements KvEvent {}

    /** An event of a type that this router does not know. */
    record Unknown() implements KvEvent {}
}
