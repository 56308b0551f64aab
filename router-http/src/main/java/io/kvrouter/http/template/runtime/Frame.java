package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.python.TextLimit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The variables of one run of a template's root, a macro or a recursive loop, and where its output goes. */
public final class Frame {
    /** What a variable holds that is not set. */
    public static final Object MISSING = new Object();

    private final Render render;
    private final @Nullable Frame outer;
    private final Object[] values;
    private StringBuilder out = new StringBuilder();

    public Frame(Render render, @Nullable Frame outer, int size) {
        this.render = render;
        this.outer = outer;
        this.values = new Object[size];
        Arrays.fill(values, MISSING);
    }

    @SuppressWarnings("ReferenceEquality") // one object, and nothing is equal to it
    public static boolean isMissing(Object value) {
        return value == MISSING;
    }

    public Render render() {
        return render;
    }

    public Object get(int index) {
        return values[index];
    }

    public void set(int index, Object value) {
        values[index] = value;
    }

    /** The frame that a variable is in, so many functions outside. */
    public Frame up(int hops) {
        Frame frame = this;
        for (int i = 0; i < hops && frame.outer != null; i++) {
            frame = frame.outer;
        }
        return frame;
    }

    public void write(String text) {
        out.append(text);
        TextLimit.check(out.length());
    }

    /** What has been written. */
    public String written() {
        return out.toString();
    }

    /** Sends the output to a place of its own; the one before is given back. */
    public StringBuilder divert(StringBuilder to) {
        StringBuilder before = out;
        out = to;
        return before;
    }
}
