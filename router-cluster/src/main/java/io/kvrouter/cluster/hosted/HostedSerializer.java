package io.kvrouter.cluster.hosted;

import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.session.SessionKey;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** The bytes of {@link HostedPeer}'s messages: a format byte, then the parts. */
public final class HostedSerializer extends SerializerWithStringManifest {
    private static final int IDENTIFIER = 761_006;
    private static final int FORMAT = 1;
    private static final int SMALL = 128;

    private final ActorRefResolver refs;

    /** Made by Pekko's serialization. */
    public HostedSerializer(ExtendedActorSystem system) {
        refs = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case HostedPeer.Ask ask -> "A";
            case HostedPeer.Told told -> "T";
            default -> throw new IllegalArgumentException("no bytes for " + message.getClass());
        };
    }

    @Override
    public byte[] toBinary(Object message) {
        var out = new WireOutput(SMALL).putByte(FORMAT);
        switch (message) {
            case HostedPeer.Ask(var key, var replyTo) ->
                out.putLong(key.high()).putLong(key.low()).putText(refs.toSerializationFormat(replyTo));
            case HostedPeer.Told(var here, var tokens, var idleMs) ->
                out.putByte(here ? 1 : 0).putVar(tokens).putVar(idleMs);
            default -> throw new IllegalArgumentException("no bytes for " + message.getClass());
        }
        return out.toBytes();
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        var in = new WireInput(bytes);
        int format = in.getByte();
        if (format != FORMAT) {
            throw new IllegalArgumentException("format " + format + " (expected: " + FORMAT + ")");
        }
        return switch (manifest) {
            case "A" ->
                new HostedPeer.Ask(new SessionKey(in.getLong(), in.getLong()), refs.resolveActorRef(in.getText()));
            case "T" -> new HostedPeer.Told(in.getByte() != 0, in.getVar(), in.getVar());
            default -> throw new IllegalArgumentException("message \"" + manifest + "\" is unknown");
        };
    }
}
