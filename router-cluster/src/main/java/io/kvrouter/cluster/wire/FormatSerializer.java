package io.kvrouter.cluster.wire;

import java.io.NotSerializableException;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * The bytes of messages between nodes: a format byte, then the parts. A field is only ever added under a new format, so
 * that nodes of two releases understand each other during a rolling restart. Broken bytes end in {@link
 * NotSerializableException}.
 */
public abstract class FormatSerializer extends SerializerWithStringManifest {
    private static final int SMALL = 160;

    private final int identifier;
    private final int format;
    private final ActorRefResolver refs;

    /**
     * A serializer.
     *
     * @param identifier the one that configuration names, for a cluster's life
     */
    protected FormatSerializer(ExtendedActorSystem system, int identifier, int format) {
        this.identifier = identifier;
        this.format = format;
        this.refs = ActorRefResolver.get(Adapter.toTyped(system));
    }

    /** Writes the parts of a message whose manifest is known. */
    protected abstract void write(WireOutput out, Object message);

    /** Reads them. */
    protected abstract Object read(WireInput in, String manifest);

    /** What a message is written in: an older format where that has all of it, so that older nodes read it too. */
    protected int format(Object message) {
        return format;
    }

    /** Whether messages that were written so can be read. */
    protected boolean understands(int written) {
        return written == format;
    }

    /** About how many bytes a message takes. */
    protected int expectedBytes(Object message) {
        return SMALL;
    }

    @Override
    public final int identifier() {
        return identifier;
    }

    @Override
    public final byte[] toBinary(Object message) {
        var out = new WireOutput(expectedBytes(message)).putByte(format(message));
        write(out, message);
        return out.toBytes();
    }

    @Override
    public final Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        try {
            var in = new WireInput(bytes);
            int written = in.getByte();
            if (!understands(written)) {
                throw new IllegalArgumentException("format " + written + " (expected: " + format + ")");
            }
            return read(in, manifest);
        } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
            var broken = new NotSerializableException(
                    getClass().getSimpleName() + ", message \"" + manifest + "\": " + e.getMessage());
            broken.initCause(e);
            throw broken;
        }
    }

    protected final WireOutput ref(WireOutput out, ActorRef<?> ref) {
        return out.putText(refs.toSerializationFormat(ref));
    }

    protected final <T> ActorRef<T> ref(WireInput in) {
        return refs.resolveActorRef(in.getText());
    }

    protected static IllegalArgumentException noBytesFor(Object message) {
        return new IllegalArgumentException("no bytes for " + message.getClass());
    }

    protected static IllegalArgumentException unknownManifest() {
        return new IllegalArgumentException("the manifest is unknown");
    }
}
