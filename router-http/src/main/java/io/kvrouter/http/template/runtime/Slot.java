package io.kvrouter.http.template.runtime;

/** The place of a variable: an index into the frame of a function. */
public final class Slot {
    private final Activation activation;
    private final int index;
    private boolean read;

    public Slot(Activation activation) {
        this.activation = activation;
        this.index = activation.allocate();
    }

    public int index() {
        return index;
    }

    /** Whether compiled code reads it. */
    public boolean isRead() {
        return read;
    }

    /** Code that reads it, MISSING included. */
    public Code reader(Activation from) {
        read = true;
        int hops = from.depth() - activation.depth();
        int at = index;
        return hops == 0 ? frame -> frame.get(at) : frame -> frame.up(hops).get(at);
    }

    public Assignment writer(Activation from) {
        int hops = from.depth() - activation.depth();
        int at = index;
        return hops == 0
                ? (frame, value) -> frame.set(at, value)
                : (frame, value) -> frame.up(hops).set(at, value);
    }

    /** What gets a frame of its own: the root, a macro, a recursive loop. */
    public static final class Activation {
        private final int depth;
        private int size;

        public Activation(int depth) {
            this.depth = depth;
        }

        public int depth() {
            return depth;
        }

        public int size() {
            return size;
        }

        private int allocate() {
            return size++;
        }
    }
}
