package io.kvrouter.cluster.hosted;

import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.session.SessionKey;
import org.apache.pekko.actor.ExtendedActorSystem;

/** The bytes of {@link HostedPeer}'s messages: a format byte, then the parts. */
public final class HostedSerializer extends FormatSerializer {
    private static final int IDENTIFIER = 761_006;
    private static final int FORMAT = 1;

    /** Made by Pekko's serialization. */
    public HostedSerializer(ExtendedActorSystem system) {
        super(system, IDENTIFIER, FORMAT);
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case HostedPeer.Ask ask -> "A";
            case HostedPeer.Told told -> "T";
            default -> throw noBytesFor(message);
        };
    }

    @Override
    protected void write(WireOutput out, Object message) {
        switch (message) {
            case HostedPeer.Ask(var key, var replyTo) ->
                ref(out.putLong(key.high()).putLong(key.low()), replyTo);
            case HostedPeer.Told(var here, var tokens, var idleMs) ->
                out.putByte(here ? 1 : 0).putVar(tokens).putVar(idleMs);
            default -> throw noBytesFor(message);
        }
    }

    @Override
    protected Object read(WireInput in, String manifest) {
        return switch (manifest) {
            case "A" -> new HostedPeer.Ask(new SessionKey(in.getLong(), in.getLong()), ref(in));
            case "T" -> new HostedPeer.Told(in.getByte() != 0, in.getVar(), in.getVar());
            default -> throw unknownManifest();
        };
    }
}
