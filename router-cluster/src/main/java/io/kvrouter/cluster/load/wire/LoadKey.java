package io.kvrouter.cluster.load.wire;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.ddata.Key;

/**
 * The names of the replicated load. A few fixed ones: the first change in a notification interval makes every node
 * serialize and digest the whole value, so a value has only a share of the nodes' slices.
 */
public final class LoadKey extends Key<LoadData> {
    /** All of them. Fixed for a cluster's life. */
    public static final List<LoadKey> ALL =
            IntStream.range(0, 4).mapToObj(LoadKey::new).toList();

    private static final long serialVersionUID = 1L;

    private LoadKey(int index) {
        super("kvrouter-load-" + index);
    }

    /** The one that has a node's slice. */
    public static LoadKey of(UniqueAddress node) {
        int hash = 31 * node.address().toString().hashCode() + Long.hashCode(node.longUid());
        return ALL.get(Math.floorMod(hash, ALL.size()));
    }
}
