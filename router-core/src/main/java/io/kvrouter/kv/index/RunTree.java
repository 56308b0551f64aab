package io.kvrouter.kv.index;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The chains of all caches as a tree of runs: the writer's side of the index. Every block that anyone holds has one
 * place, since it is looked for where its parent is, or as the first of a prompt; and a run with children stays, though
 * nobody may hold its blocks.
 */
final class RunTree {
    private static final int MANY = 10_000;

    final HeadTable heads;

    private final Run.Ids ids = new Run.Ids();
    private final HolderSet.Pool pool = new HolderSet.Pool();
    private ArrayDeque<Run> loose = new ArrayDeque<>();
    private long bytes;
    private int operation;

    // What locate found: so many blocks from this one on are neighbours.
    private @Nullable Run found;
    private int offset;
    private int count;

    // Intervals in the making.
    private final int[] ends = new int[Run.MAX + 2];
    private final HolderSet[] sets = new HolderSet[Run.MAX + 2];
    private int parts;

    RunTree(long multiplier) {
        heads = new HeadTable(multiplier);
    }

    long bytes() {
        return bytes + heads.bytes() + pool.bytes();
    }

    long runs() {
        return ids.live();
    }

    Run run(int id) {
        return ids.get(id);
    }

    /** A number for what follows, so that {@link Run#mark} tells whether it saw a run. */
    int nextOperation() {
        return ++operation;
    }

    /**
     * Finds the places of blocks, making those that do not exist. Where they are not neighbours, only the first piece:
     * {@link #found()}, {@link #offset()}, {@link #count()}.
     *
     * @param run the parent's; null where the first is the first of a prompt
     * @param next the offset after the parent's
     */
    void locate(@Nullable Run run, int next, long[] chain, int from, int to) {
        if (run != null && next < run.state.length) {
            count = matching(run.state, next, chain, from, to);
            if (count > 0) {
                found = run;
                offset = next;
                return;
            }
        }
        Run head = heads.find(chain[from]);
        count = Math.min(to - from, Run.MAX);
        offset = 0;
        if (head != null) {
            found = head;
            count = matching(head.state, 0, chain, from, to);
        } else if (run != null && next == run.state.length && next < Run.MAX) {
            // A block that did not exist has no children: only the first of those appended was looked for.
            found = run;
            offset = next;
            count = Math.min(count, Run.MAX - next);
            append(run, chain, from, count);
        } else {
            found = fresh(run, next - 1, Arrays.copyOfRange(chain, from, from + count));
        }
    }

    Run found() {
        if (found == null) {
            throw new IllegalStateException("nothing was located");
        }
        return found;
    }

    int offset() {
        return offset;
    }

    int count() {
        return count;
    }

    private static int matching(Run.State state, int at, long[] chain, int from, int to) {
        int different = Arrays.mismatch(state.hashes, at, state.length, chain, from, to);
        return different < 0 ? to - from : different;
    }

    private void append(Run run, long[] chain, int from, int blocks) {
        Run.State state = run.state;
        int length = state.length + blocks;
        long[] hashes = state.hashes;
        if (length > hashes.length || state.length < run.written) { // what readers may look at is never written
            int roomy = Math.min(Run.MAX, state.length + state.length / 4 + 4);
            hashes = Arrays.copyOf(hashes, Math.max(length, roomy));
        }
        System.arraycopy(chain, from, hashes, state.length, blocks);
        run.written = length;
        copyIntervals(state);
        push(length, HolderSet.EMPTY);
        publish(run, hashes);
    }

    private Run fresh(@Nullable Run parent, int parentOffset, long[] hashes) {
        Run.State state = new Run.State(hashes, hashes.length, HolderSet.EMPTY);
        Run run = new Run(ids.take(), hashes[0], parent, parentOffset, state);
        run.written = hashes.length;
        bytes += Run.BYTES + state.bytes();
        if (parent != null) {
            parent.children++;
        }
        ids.put(run);
        heads.add(run);
        loosen(run);
        return run;
    }

    /** Adds a cache's tiers to blocks from an offset to another. */
    void add(HeldBlocks holder, int tiers, Run run, int from, int to) {
        Run.State state = run.state;
        parts = 0;
        int low = 0;
        for (int i = 0; i < state.ends.length; i++) {
            int high = state.ends[i];
            int a = Math.max(low, from);
            int b = Math.min(high, to);
            HolderSet set = state.sets[i];
            if (a < b) {
                push(a, set);
                holder.added(run, a, b, tiers, set.tiers(holder.cache()));
                push(b, pool.with(set, holder.cache(), tiers));
            }
            push(high, set);
            low = high;
        }
        publish(run, state.hashes);
    }

    /** Takes a cache's tiers from blocks from an offset to another. */
    void remove(HeldBlocks holder, int tiers, Run run, int from, int to) {
        Run.State state = run.state;
        parts = 0;
        int low = 0;
        for (int i = 0; i < state.ends.length; i++) {
            int high = state.ends[i];
            int a = Math.max(low, from);
            int b = Math.min(high, to);
            HolderSet set = state.sets[i];
            if (a < b) {
                push(a, set);
                holder.removed(b - a, tiers, set.tiers(holder.cache()));
                push(b, pool.without(set, holder.cache(), tiers));
            }
            push(high, set);
            low = high;
        }
        publish(run, state.hashes);
    }

    private void copyIntervals(Run.State state) {
        parts = state.ends.length;
        System.arraycopy(state.ends, 0, ends, 0, parts);
        System.arraycopy(state.sets, 0, sets, 0, parts);
    }

    /** The blocks from the last end to this one have these holders. */
    private void push(int end, HolderSet set) {
        if (end == (parts == 0 ? 0 : ends[parts - 1])) {
            return;
        }
        if (parts > 0 && sets[parts - 1] == set) {
            parts--;
        }
        ends[parts] = end;
        sets[parts++] = set;
    }

    private void publish(Run run, long[] hashes) {
        Run.State old = run.state;
        int length = ends[parts - 1];
        Run.State state = parts == 1
                ? new Run.State(hashes, length, sets[0])
                : new Run.State(hashes, length, Arrays.copyOf(ends, parts), Arrays.copyOf(sets, parts));
        for (HolderSet set : state.sets) {
            pool.retain(set);
        }
        run.state = state;
        for (HolderSet set : old.sets) {
            pool.release(set);
        }
        bytes += state.bytes() - old.bytes();
        if (state.sets[parts - 1] == HolderSet.EMPTY) {
            loosen(run);
        }
    }

    private void loosen(Run run) {
        if (!run.loose) {
            run.loose = true;
            loose.add(run);
        }
    }

    /** Ends an operation: blocks at the ends of runs that nobody holds go, and with the last of them the run. */
    void settle() {
        boolean many = loose.size() > MANY;
        for (Run run = loose.poll(); run != null; run = loose.poll()) {
            run.loose = false;
            int held = run.state.heldLength();
            if (run.children == 0 && held == 0) {
                free(run);
            } else if (run.children == 0 && held < run.state.length) {
                trim(run, held);
            }
        }
        if (many) {
            loose = new ArrayDeque<>(); // the old one keeps the size of its busiest hour
        }
    }

    private void trim(Run run, int length) {
        copyIntervals(run.state);
        parts--;
        long[] hashes = run.state.hashes;
        if (length * 2 + 8 < hashes.length) {
            hashes = Arrays.copyOf(hashes, length);
            run.written = length;
        }
        publish(run, hashes);
    }

    private void free(Run run) {
        heads.remove(run);
        ids.free(run);
        bytes -= Run.BYTES + run.state.bytes();
        if (run.parent != null && --run.parent.children == 0) {
            loosen(run.parent);
        }
    }
}
