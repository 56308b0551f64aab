package io.kvrouter.cluster.session;

import io.kvrouter.cluster.binding.BindingPeer;
import io.kvrouter.cluster.binding.table.BindingCodec;
import io.kvrouter.cluster.binding.table.BindingTableData;
import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.session.Answer;
import io.kvrouter.session.SessionState.Applied;
import org.apache.pekko.actor.ExtendedActorSystem;

/**
 * The bytes of all session messages and of the replicated tables: a format byte, then the parts. A field is only ever
 * added under a new format, so that nodes of two releases understand each other during a rolling restart.
 */
public final class SessionSerializer extends FormatSerializer {
    private static final int IDENTIFIER = 761_002;
    private static final int FORMAT = 1;

    /** Made by Pekko's serialization. */
    public SessionSerializer(ExtendedActorSystem system) {
        super(system, IDENTIFIER, FORMAT);
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case ToSession(var key, var request) ->
                switch (request) {
                    case SessionActor.Follow follow -> "F";
                    case SessionActor.Bind bind -> "B";
                    case SessionActor.KeepTurn keep -> "K";
                    case SessionActor.EndTurn end -> "E";
                    case SessionActor.Unbind unbind -> "U";
                    case SessionActor.Apply apply -> "A";
                };
            case Answer.Bound bound -> "b";
            case Answer.Unbound unbound -> "u";
            case Applied applied -> "a";
            case BindingTableData data -> "D";
            case BindingPeer.Probe probe -> "P";
            case BindingPeer.Readiness readiness -> "p";
            case BindingPeer.Read read -> "R";
            case BindingPeer.TableRead read -> "r";
            case BindingPeer.Rows rows -> "W";
            case BindingPeer.Taken taken -> "w";
            default -> throw noBytesFor(message);
        };
    }

    @Override
    protected int expectedBytes(Object message) {
        return switch (message) {
            case BindingTableData data -> BindingCodec.estimate(data.table());
            case BindingPeer.TableRead read -> BindingCodec.estimate(read.table());
            case BindingPeer.Rows rows -> BindingCodec.estimate(rows.rows());
            default -> super.expectedBytes(message);
        };
    }

    @Override
    protected void write(WireOutput out, Object message) {
        switch (message) {
            case ToSession toSession -> request(out, toSession);
            case Answer.Bound bound -> RequestCodec.bound(out, bound);
            case Answer.Unbound(long version) -> out.putLong(version);
            case Applied applied -> RequestCodec.applied(out, applied);
            case BindingTableData data -> BindingCodec.write(data.table(), out);
            case BindingPeer.Probe(var replyTo) -> ref(out, replyTo);
            case BindingPeer.Readiness(boolean ready, var peer) -> ref(out.putByte(ready ? 1 : 0), peer);
            case BindingPeer.Read(int table, var replyTo) -> ref(out.putVar(table), replyTo);
            case BindingPeer.TableRead(int number, var table) -> BindingCodec.write(table, out.putVar(number));
            case BindingPeer.Rows(long delivery, var rows, var replyTo) -> {
                BindingCodec.write(rows, out.putVar(delivery));
                ref(out, replyTo);
            }
            case BindingPeer.Taken(long delivery, long by) ->
                out.putVar(delivery).putLong(by);
            default -> throw noBytesFor(message);
        }
    }

    @Override
    protected Object read(WireInput in, String manifest) {
        return switch (manifest) {
            case "F", "B", "K", "E", "U", "A" -> new ToSession(RequestCodec.key(in), request(in, manifest));
            case "b" -> RequestCodec.bound(in);
            case "u" -> new Answer.Unbound(in.getLong());
            case "a" -> RequestCodec.applied(in);
            case "D" -> BindingTableData.of(BindingCodec.read(in));
            case "P" -> new BindingPeer.Probe(ref(in));
            case "p" -> new BindingPeer.Readiness(in.getByte() != 0, ref(in));
            case "R" -> new BindingPeer.Read(in.getInt(), ref(in));
            case "r" -> new BindingPeer.TableRead(in.getInt(), BindingCodec.read(in));
            case "W" -> new BindingPeer.Rows(in.getVar(), BindingCodec.read(in), ref(in));
            case "w" -> new BindingPeer.Taken(in.getVar(), in.getLong());
            default -> throw unknownManifest();
        };
    }

    private WireOutput request(WireOutput out, ToSession message) {
        RequestCodec.key(out, message.key());
        return switch (message.request()) {
            case SessionActor.Follow(var turn, var known, var replyTo) ->
                ref(RequestCodec.known(RequestCodec.turn(out, turn), known), replyTo);
            case SessionActor.Bind(var turn, var proposal, var replyTo) ->
                ref(RequestCodec.proposal(RequestCodec.turn(out, turn), proposal), replyTo);
            case SessionActor.KeepTurn(var turn, var known) -> RequestCodec.known(RequestCodec.turn(out, turn), known);
            case SessionActor.EndTurn(var end) -> RequestCodec.end(out, end);
            case SessionActor.Unbind(var replyTo) -> ref(out, replyTo);
            case SessionActor.Apply(var known, long ttlMs, var replyTo) ->
                ref(RequestCodec.known(out, known).putVar(ttlMs), replyTo);
        };
    }

    private SessionActor.Request request(WireInput in, String manifest) {
        return switch (manifest) {
            case "F" -> new SessionActor.Follow(RequestCodec.turn(in), RequestCodec.known(in), ref(in));
            case "B" -> new SessionActor.Bind(RequestCodec.turn(in), RequestCodec.proposal(in), ref(in));
            case "K" -> new SessionActor.KeepTurn(RequestCodec.turn(in), RequestCodec.known(in));
            case "E" -> new SessionActor.EndTurn(RequestCodec.end(in));
            case "A" -> new SessionActor.Apply(RequestCodec.known(in), in.getVar(), ref(in));
            default -> new SessionActor.Unbind(ref(in));
        };
    }
}
