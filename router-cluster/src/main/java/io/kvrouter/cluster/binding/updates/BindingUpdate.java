package io.kvrouter.cluster.binding.updates;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionKey;
import java.util.OptionalLong;

/** What a reader of the bindings is told. After one with a number, reading can go on from that number. */
public sealed interface BindingUpdate {
    OptionalLong number();

    /** All sessions follow: whoever is not among them, up to the end of the snapshot, is not bound. */
    record SnapshotBegins() implements BindingUpdate {
        @Override
        public OptionalLong number() {
            return OptionalLong.empty();
        }
    }

    /** The snapshot is complete. */
    record SnapshotEnds(long at) implements BindingUpdate {
        @Override
        public OptionalLong number() {
            return OptionalLong.of(at);
        }
    }

    /** A session as it is now: bound, refreshed, or removed. Without a number in a snapshot. */
    record State(BindingRow row, OptionalLong number) implements BindingUpdate {}

    /** A session's binding was forgotten at its deadline: nobody had removed it. */
    record Expired(SessionKey key, long at) implements BindingUpdate {
        @Override
        public OptionalLong number() {
            return OptionalLong.of(at);
        }
    }
}
