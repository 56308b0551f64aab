package io.kvrouter.cluster.load.wire;

import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.load.slice.LoadSlice;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * The bytes of replicated load and of the messages beside it: a format byte, then by manifest
 *
 * <pre>
 * L: the number of slices, then each: node, slice ({@link SliceCodec})
 * U: node, probe, number of bytes, the bytes
 * A: node, probe
 * node: address (varint length, UTF-8), uid (8 bytes, big-endian)
 * </pre>
 */
public final class LoadSerializer extends FormatSerializer {
    static final int IDENTIFIER = 761_001;

    private static final int FORMAT = 2;

    /** Made by Pekko's serialization. */
    public LoadSerializer(ExtendedActorSystem system) {
        super(system, IDENTIFIER, FORMAT);
    }

    @Override
    public String manifest(Object value) {
        return switch (value) {
            case LoadData data -> "L";
            case PeerMessage.Update update -> "U";
            case PeerMessage.Applied applied -> "A";
            default -> throw noBytesFor(value);
        };
    }

    @Override
    protected void write(WireOutput out, Object value) {
        switch (value) {
            case LoadData data -> writeData(out, data);
            case PeerMessage.Update update -> {
                writeNode(out, update.from());
                out.putVar(update.probe()).putVar(update.bytes().length).putBytes(update.bytes());
            }
            case PeerMessage.Applied applied -> {
                writeNode(out, applied.by());
                out.putVar(applied.probe());
            }
            default -> throw noBytesFor(value);
        }
    }

    private static void writeData(WireOutput out, LoadData data) {
        out.putVar(data.slices().size());
        data.slices().forEach((node, slice) -> {
            writeNode(out, node);
            SliceCodec.write(out, slice);
        });
    }

    @Override
    protected Object read(WireInput in, String manifest) {
        return switch (manifest) {
            case "L" -> readData(in);
            case "U" -> readUpdate(in);
            case "A" -> new PeerMessage.Applied(readNode(in), in.getVar());
            default -> throw unknownManifest();
        };
    }

    private static LoadData readData(WireInput in) {
        Map<UniqueAddress, LoadSlice> slices = new HashMap<>();
        for (int left = in.getCount(); left > 0; left--) {
            slices.put(readNode(in), SliceCodec.read(in));
        }
        return LoadData.of(slices);
    }

    private static PeerMessage.Update readUpdate(WireInput in) {
        UniqueAddress from = readNode(in);
        long probe = in.getVar();
        return new PeerMessage.Update(from, in.getBytes(in.getCount()), probe);
    }

    private static void writeNode(WireOutput out, UniqueAddress node) {
        out.putText(node.address().toString()).putLong(node.longUid());
    }

    private static UniqueAddress readNode(WireInput in) {
        return new UniqueAddress(AddressFromURIString.parse(in.getText()), in.getLong());
    }
}
