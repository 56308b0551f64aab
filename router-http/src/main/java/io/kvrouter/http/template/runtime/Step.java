package io.kvrouter.http.template.runtime;

/** A compiled statement. */
@FunctionalInterface
public interface Step {
    Flow run(Frame frame);

    /** How execution goes on after a statement. */
    public enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }
}
