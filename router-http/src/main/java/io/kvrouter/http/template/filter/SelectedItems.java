package io.kvrouter.http.template.filter;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The items that a condition holds for; it is asked when they are. */
public final class SelectedItems implements Iterator<Object> {
    private final Iterator<Object> items;
    private final Predicate<Object> condition;
    private @Nullable Object next;

    public SelectedItems(Iterator<Object> items, Predicate<Object> condition) {
        this.items = items;
        this.condition = condition;
    }

    @Override
    public boolean hasNext() {
        while (next == null && items.hasNext()) {
            Object item = items.next();
            next = condition.test(item) ? item : null;
        }
        return next != null;
    }

    @Override
    public Object next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        Object item = next;
        next = null;
        return item;
    }
}
