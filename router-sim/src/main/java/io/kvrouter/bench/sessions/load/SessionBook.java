package io.kvrouter.bench.sessions.load;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * What the load generator remembers of each session: its worker, since when, and what its turns have told since the last
 * fault. Arrays: a million sessions take 16 MB. A place is taken by one session after the other. Confined to one thread.
 */
public final class SessionBook {
    /** Younger at the fault, a binding need not have reached all nodes. */
    static final int YOUNG_MS = 1_000;

    private static final short NONE = -1;

    private final String prefix;
    private final short[] worker;
    private final int[] generation;
    private final int[] boundMs;
    private final byte[] changes;
    private final byte[] rebounds;
    private final BitSet busy = new BitSet();
    private final BitSet asked = new BitSet();
    private final BitSet forgotten = new BitSet();
    /** Those whose last turn said that nobody had decided on its worker. */
    private final BitSet unbound = new BitSet();
    /** Those that changed their worker after such a turn. */
    private final BitSet unheard = new BitSet();

    private Changes replaced = Changes.NONE;
    private int faultMs;

    /** @param prefix of the sessions' ids, of this run alone */
    public SessionBook(int sessions, String prefix) {
        this.prefix = prefix;
        worker = new short[sessions];
        Arrays.fill(worker, NONE);
        generation = new int[sessions];
        boundMs = new int[sessions];
        changes = new byte[sessions];
        rebounds = new byte[sessions];
    }

    public int size() {
        return worker.length;
    }

    String id(int session) {
        return prefix + session + "-" + generation[session];
    }

    /** The worker of a session by its id, as its last turn told; -1 where that is not known, or not the place's last. */
    public int workerOf(String id) {
        int dash = id.lastIndexOf('-');
        if (!id.startsWith(prefix) || dash < prefix.length()) {
            return NONE;
        }
        int session = Integer.parseInt(id, prefix.length(), dash, 10);
        boolean last = Integer.parseInt(id, dash + 1, id.length(), 10) == generation[session];
        return last && !busy.get(session) ? worker[session] : NONE;
    }

    /** A turn begins; false if one is under way, so that turns of a session follow one another. */
    boolean begin(int session) {
        boolean free = !busy.get(session);
        busy.set(session);
        return free;
    }

    /** Another session takes this place, with its first turn. */
    void renew(int session) {
        replaced = replaced.plus(since(session));
        generation[session]++;
        worker[session] = NONE;
        unbound.clear(session);
        forget(session);
    }

    /** A turn was answered with success. */
    void answered(int session, int byWorker, String decision, int nowMs) {
        busy.clear(session);
        asked.set(session);
        short before = worker[session];
        if (before == NONE) {
            boundMs[session] = nowMs;
        }
        rebounds[session] += (byte) (decision.equals("rebound") && rebounds[session] < Byte.MAX_VALUE ? 1 : 0);
        if (decision.equals("detoured")) {
            return; // the binding stays
        }
        worker[session] = (short) byWorker;
        boolean decided = before != NONE && !unbound.get(session);
        unbound.set(session, decision.equals("unbound"));
        if (before != NONE && before != byWorker) {
            changed(session, decided);
        }
        if (decided && decision.equals("selected")) {
            forgotten.set(session);
        }
    }

    private void changed(int session, boolean decided) {
        if (!decided) {
            unheard.set(session);
        } else if (changes[session] < Byte.MAX_VALUE) {
            changes[session]++;
        }
    }

    /** A turn failed: what is remembered stays. */
    void failed(int session) {
        busy.clear(session);
    }

    /** A fault happens now: what changed before it is forgotten. */
    public void fault(int nowMs) {
        faultMs = nowMs;
        replaced = Changes.NONE;
        IntStream.range(0, size()).forEach(this::forget);
    }

    private void forget(int session) {
        changes[session] = 0;
        rebounds[session] = 0;
        asked.clear(session);
        forgotten.clear(session);
        unheard.clear(session);
    }

    /** Sessions that are bound and have had no turn since the fault. */
    public IntStream unasked() {
        return IntStream.range(0, size()).filter(session -> !asked.get(session) && worker[session] != NONE);
    }

    /** Sessions that have never been bound. */
    public IntStream unbound() {
        return IntStream.range(0, size()).filter(session -> worker[session] == NONE);
    }

    /** Since the fault. */
    public Changes changes() {
        return IntStream.range(0, size()).mapToObj(this::since).reduce(replaced, Changes::plus);
    }

    private Changes since(int session) {
        int turns = asked.get(session) ? 1 : 0;
        int changed = changes[session] > 0 ? 1 : 0;
        int undecided = changed == 0 && unheard.get(session) ? 1 : 0;
        if (boundMs[session] > faultMs) {
            return new Changes(turns, 0, 0, undecided, 0, changed, 0);
        }
        if (boundMs[session] > faultMs - YOUNG_MS) {
            return new Changes(turns, 0, 0, undecided, changed, 0, 0);
        }
        int explained = changes[session] == rebounds[session] ? changed : 0;
        int lost = forgotten.get(session) ? 1 : 0;
        return new Changes(turns, explained, changed - explained, undecided, 0, 0, lost);
    }
}
