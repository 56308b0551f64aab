package io.kvrouter.sim.kv;

import io.kvrouter.sim.engine.KvEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/** Writes one rank's batches: {@code [ts, [event...], rank]}, or a map of the same. */
final class BatchFormat {
    private final KvEventSettings.Form form;
    private final int blockSize;
    private final int rank;

    BatchFormat(KvEventSettings.Form form, int blockSize, int rank) {
        this.form = form;
        this.blockSize = blockSize;
        this.rank = rank;
    }

    byte[] batch(List<KvEvent> events, double atS) {
        return write(atS, events, List.of());
    }

    /** The same events among others that can't be read or make no sense. */
    byte[] batchWithBrokenEvents(List<KvEvent> events, double atS) {
        return write(atS, events, List.of(BrokenEvent.values()));
    }

    private byte[] write(double atS, List<KvEvent> events, List<BrokenEvent> broken) {
        try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
            boolean array = form == KvEventSettings.Form.ARRAY;
            if (array) {
                out.packArrayHeader(3).packDouble(atS);
            } else {
                out.packMapHeader(3).packString("ts").packDouble(atS).packString("events");
            }
            out.packArrayHeader(events.size() + broken.size());
            writeEvents(out, events, broken);
            if (!array) {
                out.packString("data_parallel_rank");
            }
            out.packInt(rank);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeEvents(MessagePacker out, List<KvEvent> events, List<BrokenEvent> broken) throws IOException {
        var writer = new EventWriter(out, form, blockSize);
        var rest = broken.iterator();
        for (KvEvent event : events) {
            if (rest.hasNext()) {
                rest.next().write(out);
            }
            writer.write(event);
        }
        while (rest.hasNext()) {
            rest.next().write(out);
        }
    }
}
