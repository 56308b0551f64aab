package io.kvrouter.cluster.reservation;

import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import java.util.List;
import java.util.OptionalLong;
import org.apache.pekko.actor.ExtendedActorSystem;

/**
 * The bytes of calls on reservations between nodes: a format byte, then the parts. A field is only ever added under a
 * new format, so that nodes of two releases understand each other during a rolling restart.
 */
public final class ReservationSerializer extends FormatSerializer {
    private static final int IDENTIFIER = 761_005;
    private static final int FORMAT = 1;

    /** By number on the wire: only ever appended to. */
    private static final List<Standing> STANDINGS =
            List.of(Standing.BOOKED, Standing.PREFILL_COMPLETE, Standing.ENDED, Standing.UNKNOWN);

    /** Made by Pekko's serialization. */
    public ReservationSerializer(ExtendedActorSystem system) {
        super(system, IDENTIFIER, FORMAT);
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
            default -> throw noBytesFor(message);
        };
    }

    @Override
    protected void write(WireOutput out, Object message) {
        switch (message) {
            case ReservationPeer.Ask(var call, var replyTo) -> ref(call(out.putText(call.name()), call), replyTo);
            case ReservationPeer.Stands(var standing) -> out.putByte(STANDINGS.indexOf(standing));
            default -> throw noBytesFor(message);
        }
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
    protected Object read(WireInput in, String manifest) {
        if (manifest.equals("S")) {
            return new ReservationPeer.Stands(STANDINGS.get(in.getByte()));
        }
        String name = in.getText();
        ReservationCall call = switch (manifest) {
            case "L" -> new ReservationCall.Look(name);
            case "P" -> new ReservationCall.PrefillComplete(name);
            case "O" -> new ReservationCall.OutputBlock(name, optional(in));
            case "E" -> new ReservationCall.End(name, in.getByte() != 0, optional(in));
            default -> throw unknownManifest();
        };
        return new ReservationPeer.Ask(call, ref(in));
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
