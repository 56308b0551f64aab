package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One rendering: its variables, where it is, and what it has used of its limits. */
public final class Render {
    /** Statements, loop turns and calls; a prompt of 100 messages takes some thousands. */
    private static final int MOST_STEPS = 5_000_000;

    private static final int MOST_CALLS = 80;
    /** A step's worth of text, in UTF-16 units; of list items, an eighth. */
    private static final int TEXT_OF_A_STEP = 256;

    private final Map<String, Object> variables;
    private final boolean markup;
    private int steps;
    private int calls;
    private int line;

    /**
     * Begins a rendering.
     *
     * @param markup whether the template can make {@link io.kvrouter.http.template.value.Markup}
     */
    public Render(Map<String, Object> variables, boolean markup) {
        this.variables = variables;
        this.markup = markup;
    }

    boolean mayHaveMarkup() {
        return markup;
    }

    public @Nullable Object variable(String name) {
        return variables.get(name);
    }

    public int line() {
        return line;
    }

    /** A statement begins. */
    public void at(int statementLine) {
        line = statementLine;
        charge(1);
    }

    /** Counts what a value took to make. */
    public Object charge(Object value) {
        if (value instanceof String text) {
            charge(text.length() / TEXT_OF_A_STEP);
        } else if (value instanceof List<?> list) {
            charge(list.size() * 8 / TEXT_OF_A_STEP);
        }
        return value;
    }

    public void charge(int count) {
        steps += count;
        if (steps > MOST_STEPS) {
            throw PythonError.limit("more than " + MOST_STEPS + " steps");
        }
    }

    public void enterCall() {
        charge(1);
        if (++calls > MOST_CALLS) {
            throw new PythonError(ErrorKind.RECURSION, "more than " + MOST_CALLS + " calls within one another");
        }
    }

    public void leaveCall() {
        calls--;
    }
}
