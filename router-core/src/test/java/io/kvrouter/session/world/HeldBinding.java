package io.kvrouter.session.world;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import java.util.Optional;

/** What a running turn tells of its session's binding, until it sees that a newer version is there. */
final class HeldBinding {
    private Known known = Known.NOTHING;
    private boolean overtaken;

    void decided(Known binding) {
        known = binding;
        overtaken = false;
    }

    Known known() {
        return known;
    }

    boolean overtaken() {
        return overtaken;
    }

    /** What the next message says; nothing from the moment on that the replica has a newer version. */
    Known tell(Optional<BindingRow> row) {
        overtaken |= row.filter(r -> r.version() > known.version()).isPresent();
        return overtaken ? Known.NOTHING : known;
    }
}
