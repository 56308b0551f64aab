package io.kvrouter.cluster.kv.join;

import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.kv.event.CacheChunk;
import io.kvrouter.kv.fleet.KvIndexes.Followed;
import io.kvrouter.kv.index.BlockBatch;
import io.kvrouter.kv.stream.RankSnapshot;
import org.apache.pekko.actor.ExtendedActorSystem;

/** The bytes of snapshots on their way: a format byte, then the parts. A field is only ever added under a new format. */
public final class SnapshotSerializer extends FormatSerializer {
    private static final int IDENTIFIER = 761_004;
    private static final int FORMAT = 1;
    private static final int BYTES_A_ROW = 3 * Long.BYTES + 1;

    /** Made by Pekko's serialization. */
    public SnapshotSerializer(ExtendedActorSystem system) {
        super(system, IDENTIFIER, FORMAT);
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case SnapshotPeer.Ask ask -> "A";
            case SnapshotPeer.Pull pull -> "P";
            case SnapshotPeer.Offer offer -> "o";
            case SnapshotPeer.Nothing nothing -> "n";
            case SnapshotPeer.Chunk chunk -> "c";
            default -> throw noBytesFor(message);
        };
    }

    @Override
    protected int expectedBytes(Object message) {
        int least = super.expectedBytes(message);
        return message instanceof SnapshotPeer.Chunk chunk
                ? least + chunk.blocks().blocks().rows() * BYTES_A_ROW
                : least;
    }

    @Override
    protected void write(WireOutput out, Object message) {
        switch (message) {
            case SnapshotPeer.Ask(var rank, var replyTo) -> ref(rank(out, rank), replyTo);
            case SnapshotPeer.Pull(long transfer, int chunk, var replyTo) ->
                ref(out.putVar(transfer).putVar(chunk), replyTo);
            case SnapshotPeer.Offer offer -> offer(out, offer);
            case SnapshotPeer.Nothing(var rank) -> rank(out, rank);
            case SnapshotPeer.Chunk(long transfer, int number, var blocks) ->
                chunk(out, blocks).putVar(transfer).putVar(number);
            default -> throw noBytesFor(message);
        }
    }

    @Override
    protected Object read(WireInput in, String manifest) {
        return switch (manifest) {
            case "A" -> new SnapshotPeer.Ask(rank(in), ref(in));
            case "P" -> new SnapshotPeer.Pull(in.getVar(), in.getInt(), ref(in));
            case "o" -> new SnapshotPeer.Offer(rank(in), place(in), in.getInt(), in.getVar(), ref(in));
            case "n" -> new SnapshotPeer.Nothing(rank(in));
            case "c" -> {
                var blocks = chunk(in);
                yield new SnapshotPeer.Chunk(in.getVar(), in.getInt(), blocks);
            }
            default -> throw unknownManifest();
        };
    }

    private static WireOutput rank(WireOutput out, Followed rank) {
        return out.putLong(rank.place()).putVar(rank.blockSize());
    }

    private static Followed rank(WireInput in) {
        return new Followed(in.getLong(), in.getInt());
    }

    private WireOutput offer(WireOutput out, SnapshotPeer.Offer offer) {
        var place = offer.place();
        rank(out, offer.rank())
                .putVar(place.next())
                .putLong(place.fingerprint())
                .putByte(place.lost() ? 1 : 0)
                .putLong(place.group())
                .putVar(offer.chunks())
                .putVar(offer.transfer());
        return ref(out, offer.peer());
    }

    private static RankSnapshot.Place place(WireInput in) {
        return new RankSnapshot.Place(in.getVar(), in.getLong(), in.getByte() != 0, (int) in.getLong());
    }

    private static WireOutput chunk(WireOutput out, CacheChunk chunk) {
        BlockBatch blocks = chunk.blocks();
        boolean salted = !chunk.salts().isEmpty();
        out.putVar(blocks.rows()).putByte(salted ? 1 : 0);
        for (int row = 0; row < blocks.rows(); row++) {
            out.putLong(blocks.engineHash(row))
                    .putLong(blocks.sequenceHash(row))
                    .putLong(blocks.parent(row))
                    .putByte(blocks.marks(row));
            if (salted) {
                out.putLong(chunk.salts().of(row));
            }
        }
        return out;
    }

    private static CacheChunk chunk(WireInput in) {
        int rows = in.getCount();
        boolean salted = in.getByte() != 0;
        long[][] columns = new long[3][rows];
        byte[] marks = new byte[rows];
        long[] salts = new long[salted ? rows : 0];
        for (int row = 0; row < rows; row++) {
            columns[0][row] = in.getLong();
            columns[1][row] = in.getLong();
            columns[2][row] = in.getLong();
            marks[row] = (byte) in.getByte();
            if (salted) {
                salts[row] = in.getLong();
            }
        }
        return new CacheChunk(
                new BlockBatch(columns[0], columns[1], columns[2], marks),
                salted ? new CacheChunk.Salts(salts) : CacheChunk.Salts.NONE);
    }
}
