package io.kvrouter.session.ingress;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import java.util.Optional;

/**
 * What a running turn tells of its session's binding, until it sees that a newer version is there: from then on it heals
 * nothing. Else its old version would bring back a session that was removed, and whose removal was forgotten meanwhile.
 */
public final class HeldBinding {
    private Known known = Known.NOTHING;
    private boolean overtaken;

    /** The binding was decided, or decided anew. */
    public void decided(Known binding) {
        known = binding;
        overtaken = false;
    }

    public Known known() {
        return known;
    }

    /** Whether a newer version was ever seen. */
    public boolean overtaken() {
        return overtaken;
    }

    /**
     * What the next message says of the binding.
     *
     * @param row what this node's replica has of the session now
     */
    public Known tell(Optional<BindingRow> row) {
        overtaken |= row.filter(r -> r.version() > known.version()).isPresent();
        return overtaken ? Known.NOTHING : known;
    }
}
