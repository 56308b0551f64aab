package io.kvrouter.cluster.load.wire;

import io.kvrouter.load.slice.LoadSlice;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.ddata.AbstractDeltaReplicatedData;
import org.apache.pekko.cluster.ddata.DeltaReplicatedData;
import org.apache.pekko.cluster.ddata.RemovedNodePruning;
import org.apache.pekko.cluster.ddata.ReplicatedDelta;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The load slices of the nodes, as one value in Distributed Data; a delta of it has the same form.
 *
 * <p>Each slice is written by its node only and merges on its own ({@link LoadSlice}), in any order, so no causal
 * delivery is asked for. The slice of a node that was removed is dropped and never merged into a survivor's: its
 * requests are gone, nobody would ever end them.
 */
public final class LoadData extends AbstractDeltaReplicatedData<LoadData, LoadData>
        implements ReplicatedDelta, RemovedNodePruning {
    /** No slices. */
    public static final LoadData EMPTY = new LoadData(Map.of(), Optional.empty());

    private final Map<UniqueAddress, LoadSlice> slices;
    private final Optional<LoadData> delta;

    private LoadData(Map<UniqueAddress, LoadSlice> slices, Optional<LoadData> delta) {
        this.slices = Collections.unmodifiableMap(slices);
        this.delta = delta;
    }

    /** These slices. */
    public static LoadData of(Map<UniqueAddress, LoadSlice> slices) {
        return new LoadData(new HashMap<>(slices), Optional.empty());
    }

    /** The node's update, merged into its slice and remembered as delta. */
    public LoadData write(UniqueAddress node, LoadSlice update) {
        LoadData written = of(Map.of(node, update));
        LoadData changed = delta.map(before -> before.mergeData(written)).orElse(written);
        return new LoadData(mergeData(written).slices, Optional.of(changed));
    }

    public Map<UniqueAddress, LoadSlice> slices() {
        return slices;
    }

    @Override
    public LoadData mergeData(LoadData that) {
        Map<UniqueAddress, LoadSlice> merged = new HashMap<>(slices);
        that.slices.forEach((node, slice) -> merged.merge(node, slice, LoadSlice::merge));
        return new LoadData(merged, Optional.empty());
    }

    @Override
    public LoadData mergeDeltaData(LoadData that) {
        return mergeData(that);
    }

    @Override
    public Optional<LoadData> deltaData() {
        return delta;
    }

    @Override
    public LoadData resetDelta() {
        return delta.isEmpty() ? this : new LoadData(slices, Optional.empty());
    }

    @Override
    public DeltaReplicatedData zero() {
        return EMPTY;
    }

    @Override
    public scala.collection.immutable.Set<UniqueAddress> modifiedByNodes() {
        return CollectionConverters.asScala(slices.keySet()).toSet();
    }

    @Override
    public boolean needPruningFrom(UniqueAddress removed) {
        return slices.containsKey(removed);
    }

    @Override
    public LoadData prune(UniqueAddress removed, UniqueAddress collapseInto) {
        return pruningCleanup(removed);
    }

    @Override
    public LoadData pruningCleanup(UniqueAddress removed) {
        Map<UniqueAddress, LoadSlice> left = new HashMap<>(slices);
        left.remove(removed);
        return new LoadData(left, Optional.empty());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LoadData data && slices.equals(data.slices);
    }

    @Override
    public int hashCode() {
        return slices.hashCode();
    }

    @Override
    public String toString() {
        return "LoadData" + slices;
    }
}
