package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PyIterator;
import io.kvrouter.http.template.value.PythonError;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code map}, {@code select}, {@code reject} and their kin. They are lazy, as in jinja2: their errors come where the
 * result is used, and the result can be used once.
 */
final class SelectionFilters {
    private SelectionFilters() {}

    static void addTo(Map<String, Filter> table) {
        table.put("map", (input, arguments) -> lazily(() -> mapped(input, arguments)));
        table.put("select", (input, arguments) -> lazily(() -> selected(input, arguments, false, true)));
        table.put("reject", (input, arguments) -> lazily(() -> selected(input, arguments, false, false)));
        table.put("selectattr", (input, arguments) -> lazily(() -> selected(input, arguments, true, true)));
        table.put("rejectattr", (input, arguments) -> lazily(() -> selected(input, arguments, true, false)));
    }

    private static PyIterator lazily(Supplier<Iterator<Object>> source) {
        return new PyIterator(new Iterator<>() {
            private @Nullable Iterator<Object> items;

            @Override
            public boolean hasNext() {
                if (items == null) {
                    items = source.get();
                }
                return items.hasNext();
            }

            @Override
            public Object next() {
                if (!hasNext() || items == null) {
                    throw new NoSuchElementException();
                }
                return items.next();
            }
        });
    }

    private static Iterator<Object> mapped(Object input, Arguments arguments) {
        if (!Truth.of(input)) {
            return List.of().iterator();
        }
        UnaryOperator<Object> change = change(arguments);
        Iterator<Object> items = Iteration.over(input);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return items.hasNext();
            }

            @Override
            public Object next() {
                return change.apply(items.next());
            }
        };
    }

    private static UnaryOperator<Object> change(Arguments arguments) {
        if (arguments.positional().isEmpty()) {
            Map<String, Object> named = new HashMap<>(arguments.named());
            Object attribute = named.remove("attribute");
            if (attribute == null) {
                throw wrong("map requires a filter argument");
            }
            Object absent = named.remove("default");
            if (!named.isEmpty()) {
                throw wrong("Unexpected keyword argument");
            }
            return AttributePath.of(attribute).orElse(absent);
        }
        String name = PyText.str(arguments.positional().get(0));
        Filter filter = Filters.get(name);
        if (filter == null) {
            throw Filters.unknown(name);
        }
        Arguments rest = arguments.after(1);
        return item -> filter.apply(item, rest);
    }

    private static Iterator<Object> selected(Object input, Arguments arguments, boolean byAttribute, boolean wanted) {
        if (!Truth.of(input)) {
            return List.of().iterator();
        }
        Predicate<Object> condition = condition(arguments, byAttribute);
        return new SelectedItems(Iteration.over(input), wanted ? condition : condition.negate());
    }

    private static Predicate<Object> condition(Arguments arguments, boolean byAttribute) {
        if (byAttribute && arguments.positional().isEmpty()) {
            throw wrong("Missing parameter for attribute name");
        }
        var path = AttributePath.of(byAttribute ? arguments.positional().get(0) : null);
        Arguments rest = byAttribute ? arguments.after(1) : arguments;
        if (rest.positional().isEmpty()) {
            return item -> Truth.of(path.apply(item));
        }
        String name = PyText.str(rest.positional().get(0));
        Test test = Tests.get(name);
        if (test == null) {
            throw Tests.unknown(name);
        }
        Arguments others = rest.after(1);
        return item -> test.holds(path.apply(item), others);
    }

    private static PythonError wrong(String message) {
        return new PythonError(ErrorKind.FILTER_ARGUMENT, message);
    }
}
