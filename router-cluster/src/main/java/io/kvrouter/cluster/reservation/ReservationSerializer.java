package io.kvrouter.cluster.reservation;

import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import java.util.List;
import java.util.OptionalLong;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * The bytes of calls on reservations between nodes: a format byte, then the parts. A field is only ever added under a
 * new format, so that nodes of two releases understand each other during a rolling restart.
 */
public final class ReservationSerializer extends SerializerWithStringManifest {
    private static final int IDENTIFIER = 761_005;
    private static final int FORMAT = 1;
    private static final int SMALL = 256;

    /** By number on the wire: only ever appended to. */
    private static final List<Standing> STANDINGS =
            List.of(Standing.BOOKED, Standing.PREFILL_COMPLETE, Standing.ENDED, Standing.UNKNOWN);

    private final ActorRefResolver refs;

    /** Made by Pekko's serialization. */
    public ReservationSerializer(ExtendedActorSystem system) {
        refs = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case ReservationPeer.Ask(var call, var replyTo) ->
                switch (call) {
                    case ReservationCall.Look look -> "L";
                    case ReservationCall.PrefillComplete prefill -> "P";
                    case ReservationCall.OutputBlock output -> "O";
                    case ReservationCall.End end -> "E";
                };
            case ReservationPeer.Stands stands -> "S";
            default -> throw new IllegalArgumentException("no bytes for " + message.getClass());
        };
    }

    @Override
    public byte[] toBinary(Object message) {
        var out = new WireOutput(SMALL).putByte(FORMAT);
        return switch (message) {
            case ReservationPeer.Ask(var call, var replyTo) ->
                call(out.putText(call.name()), call)
                        .putText(refs.toSerializationFormat(replyTo))
                        .toBytes();
            case ReservationPeer.Stands(var standing) ->
                out.putByte(STANDINGS.indexOf(standing)).toBytes();
            default -> throw new IllegalArgumentException("no bytes for " + message.getClass());
        };
    }

    private static WireOutput call(WireOutput out, ReservationCall call) {
        return switch (call) {
            case ReservationCall.Look look -> out;
            case ReservationCall.PrefillComplete prefill -> out;
            case ReservationCall.OutputBlock(var name, var total) -> optional(out, total);
            case ReservationCall.End(var name, boolean served, var context) ->
                optional(out.putByte(served ? 1 : 0), context);
        };
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        var in = new WireInput(bytes);
        int format = in.getByte();
        if (format != FORMAT) {
            throw new IllegalArgumentException("reservation of format " + format + " (expected: " + FORMAT + ")");
        }
        if (manifest.equals("S")) {
            return new ReservationPeer.Stands(STANDINGS.get(in.getByte()));
        }
        String name = in.getText();
        ReservationCall call = switch (manifest) {
            case "L" -> new ReservationCall.Look(name);
            case "P" -> new ReservationCall.PrefillComplete(name);
            case "O" -> new ReservationCall.OutputBlock(name, optional(in));
            case "E" -> new ReservationCall.End(name, in.getByte() != 0, optional(in));
            default -> throw new IllegalArgumentException("reservation call \"" + manifest + "\" is unknown");
        };
        ActorRef<ReservationPeer.Reply> replyTo = refs.resolveActorRef(in.getText());
        return new ReservationPeer.Ask(call, replyTo);
    }

    /** 0 for none, else one more than the value. */
    private static WireOutput optional(WireOutput out, OptionalLong value) {
        return out.putVar(value.isPresent() ? value.getAsLong() + 1 : 0);
    }

    private static OptionalLong optional(WireInput in) {
        long value = in.getVar();
        return value == 0 ? OptionalLong.empty() : OptionalLong.of(value - 1);
    }
}
