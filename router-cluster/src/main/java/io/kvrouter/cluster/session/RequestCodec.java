package io.kvrouter.cluster.session;

import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState.Applied;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.session.TurnId;
import io.kvrouter.worker.WorkerId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bytes of the parts that turn messages and their answers consist of. */
final class RequestCodec {
    /** By number on the wire: only ever appended to. */
    private static final List<Answer.How> HOW = List.of(Answer.How.FOLLOWED, Answer.How.CREATED, Answer.How.REBOUND);

    /** By number on the wire: only ever appended to. */
    private static final List<Applied.Outcome> APPLIED = List.of(
            Applied.Outcome.TAKEN, Applied.Outcome.REFRESHED, Applied.Outcome.REPLACED, Applied.Outcome.IGNORED);

    private RequestCodec() {}

    static WireOutput key(WireOutput out, SessionKey key) {
        return out.putLong(key.high()).putLong(key.low());
    }

    static SessionKey key(WireInput in) {
        return new SessionKey(in.getLong(), in.getLong());
    }

    static WireOutput turn(WireOutput out, Turn turn) {
        return out.putLong(turn.id().node()).putVar(turn.id().number()).putVar(turn.ttlMs());
    }

    static Turn turn(WireInput in) {
        return new Turn(new TurnId(in.getLong(), in.getVar()), in.getVar());
    }

    static WireOutput known(WireOutput out, Known known) {
        var worker = known.worker();
        return out.putLong(known.version())
                .putText(worker == null ? "" : worker.value())
                .putVar(known.rank());
    }

    static Known known(WireInput in) {
        return new Known(in.getLong(), workerOrNone(in.getText()), in.getInt());
    }

    static WireOutput proposal(WireOutput out, Proposal proposal) {
        out.putLong(proposal.seen()).putText(proposal.worker().value()).putVar(proposal.rank());
        return known(out, proposal.known());
    }

    static Proposal proposal(WireInput in) {
        return new Proposal(in.getLong(), new WorkerId(in.getText()), in.getInt(), known(in));
    }

    static WireOutput end(WireOutput out, TurnEnd end) {
        known(turn(out, end.turn()), end.known());
        return out.putByte(end.served() ? 1 : 0).putVar(end.contextTokens()).putByte(end.last() ? 1 : 0);
    }

    static TurnEnd end(WireInput in) {
        return new TurnEnd(turn(in), known(in), in.getByte() != 0, in.getVar(), in.getByte() != 0);
    }

    static WireOutput bound(WireOutput out, Answer.Bound bound) {
        known(out, bound.binding().known());
        return out.putVar(bound.contextTokens()).putByte(HOW.indexOf(bound.how()));
    }

    static Answer.Bound bound(WireInput in) {
        long version = in.getLong();
        var binding = new Binding(new WorkerId(in.getText()), in.getInt(), version);
        return new Answer.Bound(binding, in.getVar(), HOW.get(in.getByte()));
    }

    static WireOutput applied(WireOutput out, Applied applied) {
        return known(out.putByte(APPLIED.indexOf(applied.how())), applied.now());
    }

    static Applied applied(WireInput in) {
        return new Applied(APPLIED.get(in.getByte()), known(in));
    }

    private static @Nullable WorkerId workerOrNone(String id) {
        return id.isEmpty() ? null : new WorkerId(id);
    }
}
