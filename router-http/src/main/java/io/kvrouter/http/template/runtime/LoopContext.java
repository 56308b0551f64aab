package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.python.Comparison;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.PyFunction;
import io.kvrouter.http.template.value.PyObject;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a template sees as {@code loop}. It looks one item ahead only when asked to, as items may be made lazily. */
public final class LoopContext implements PyObject, PyFunction {
    private final int depth;
    private final @Nullable UnaryOperator<Object> recursion;
    private Iterator<Object> items;
    private int length;
    private int index = -1;
    private @Nullable Object after;
    private @Nullable Object current;
    private @Nullable Object before;
    private @Nullable PyTuple lastChanged;

    /**
     * @param length of the items, or -1 where only going through them tells
     * @param recursion renders the loop over other items; null if it is not recursive
     */
    public LoopContext(Iterator<Object> items, int length, int depth, @Nullable UnaryOperator<Object> recursion) {
        this.items = items;
        this.length = length;
        this.depth = depth;
        this.recursion = recursion;
    }

    public boolean hasNext() {
        return after != null || items.hasNext();
    }

    public Object next() {
        Object item = after != null ? after : items.next();
        after = null;
        index++;
        before = current;
        current = item;
        return item;
    }

    private @Nullable Object peek() {
        if (after == null && items.hasNext()) {
            after = items.next();
        }
        return after;
    }

    private long length() {
        if (length < 0) {
            List<Object> rest = new ArrayList<>();
            items.forEachRemaining(rest::add);
            items = rest.iterator();
            length = rest.size() + index + 1 + (after == null ? 0 : 1);
        }
        return length;
    }

    @Override
    public String typeName() {
        return "LoopContext";
    }

    @Override
    public String repr() {
        return "<LoopContext " + (index + 1) + "/" + length() + ">";
    }

    @Override
    public @Nullable Object attribute(String name) {
        return switch (name) {
            case "index" -> index + 1L;
            case "index0" -> index + 0L;
            case "revindex" -> length() - index;
            case "revindex0" -> length() - index - 1;
            case "first" -> index == 0;
            case "last" -> peek() == null;
            case "length" -> length();
            case "depth" -> depth + 1L;
            case "depth0" -> depth + 0L;
            case "previtem" -> before == null ? Undefined.because("there is no previous item") : before;
            case "nextitem" -> {
                Object next = peek();
                yield next == null ? Undefined.because("there is no next item") : next;
            }
            case "cycle" -> (PyFunction) this::cycle;
            case "changed" -> (PyFunction) this::changed;
            default -> null;
        };
    }

    private Object cycle(Arguments arguments) {
        List<Object> values = arguments.positional();
        if (values.isEmpty()) {
            throw PythonError.type("no items for cycling given");
        }
        return values.get(index % values.size());
    }

    private Object changed(Arguments arguments) {
        var values = new PyTuple(arguments.positional());
        boolean changed = lastChanged == null || !Comparison.equal(lastChanged, values);
        lastChanged = values;
        return changed;
    }

    @Override
    public Object call(Arguments arguments) {
        if (recursion == null) {
            throw PythonError.type("The loop must have the 'recursive' marker to be called recursively.");
        }
        arguments.byPosition("loop", 1, 1);
        return recursion.apply(arguments.positional().get(0));
    }
}
