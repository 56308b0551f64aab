package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.method.Attributes;
import io.kvrouter.http.template.operator.Arithmetic;
import io.kvrouter.http.template.operator.Subscript;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyIterator;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Filters over what can be gone through, and {@code default}. */
final class SequenceFilters {
    private SequenceFilters() {}

    static void addTo(Map<String, Filter> table) {
        table.put("length", (input, none) -> (long) Iteration.length(input));
        table.put("count", (input, none) -> (long) Iteration.length(input));
        table.put("list", (input, none) -> Iteration.list(input));
        table.put("first", (input, none) -> first(input));
        table.put("last", (input, none) -> last(input));
        table.put("reverse", (input, none) -> reverse(input));
        table.put("join", SequenceFilters::join);
        table.put("items", (input, none) -> items(input));
        table.put("batch", SequenceFilters::batch);
        table.put("slice", SequenceFilters::slice);
        table.put("sum", SequenceFilters::sum);
        table.put("default", SequenceFilters::orDefault);
        table.put("d", SequenceFilters::orDefault);
        table.put("attr", SequenceFilters::attribute);
    }

    private static Object first(Object input) {
        Iterator<Object> items = Iteration.over(input);
        return items.hasNext() ? items.next() : Undefined.because("No first item, sequence was empty.");
    }

    private static Object last(Object input) {
        List<Object> items = Iteration.items(input);
        if (items == null) {
            throw PythonError.type("'" + TypeName.of(input) + "' object is not reversible");
        }
        return items.isEmpty() ? Undefined.because("No last item, sequence was empty.") : items.getLast();
    }

    private static Object reverse(Object input) {
        if (input instanceof String || input instanceof Markup) {
            return Subscript.slice(input, None.NONE, None.NONE, -1L);
        }
        if (!Iteration.isIterable(input)) {
            throw new PythonError(ErrorKind.FILTER_ARGUMENT, "argument must be iterable");
        }
        List<Object> reversed = Iteration.list(input).reversed();
        return input instanceof PyIterator ? reversed : new PyIterator(reversed.iterator());
    }

    private static Object join(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("join", 0, "d", "attribute");
        String separator = a[0] == null ? "" : PyText.str(a[0]);
        var path = AttributePath.of(a[1]);
        var out = new StringBuilder();
        boolean first = true;
        for (Iterator<Object> items = Iteration.over(input); items.hasNext(); first = false) {
            out.append(first ? "" : separator).append(PyText.str(path.apply(items.next())));
            TextLimit.check(out.length());
        }
        return out.toString();
    }

    private static Object items(Object input) {
        return switch (input) {
            case Undefined undefined -> new PyIterator(List.of().iterator());
            case PyDict dict -> new PyIterator(dict.items().iterator());
            default -> throw PythonError.type("Can only get item pairs from a mapping.");
        };
    }

    private static Object batch(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("batch", 1, "linecount", "fill_with");
        int size = arguments.positional().isEmpty()
                ? 1
                : Numbers.asIndex(arguments.positional().get(0));
        List<Object> batches = new ArrayList<>();
        List<Object> batch = new ArrayList<>();
        for (Object item : Iteration.list(input)) {
            if (batch.size() == size) {
                batches.add(batch);
                batch = new ArrayList<>();
            }
            batch.add(item);
        }
        if (!batch.isEmpty()) {
            while (a[1] != null && a[1] != None.NONE && batch.size() < size) {
                TextLimit.check(batch.size());
                batch.add(a[1]);
            }
            batches.add(batch);
        }
        return new PyIterator(batches.iterator());
    }

    private static Object slice(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("slice", 1, "slices", "fill_with");
        int slices = TextLimit.check(a[0] == null ? 1 : Numbers.asIndex(a[0]));
        if (slices == 0) {
            throw new PythonError(ErrorKind.ZERO_DIVISION, "integer division or modulo by zero");
        }
        List<Object> all = Iteration.list(input);
        List<Object> result = new ArrayList<>();
        int longer = all.size() % slices;
        int start = 0;
        for (int i = 0; i < slices; i++) {
            int end = start + all.size() / slices + (i < longer ? 1 : 0);
            List<Object> slice = new ArrayList<>(all.subList(start, end));
            if (a[1] != null && a[1] != None.NONE && i >= longer) {
                slice.add(a[1]);
            }
            result.add(slice);
            start = end;
        }
        return new PyIterator(result.iterator());
    }

    private static Object sum(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("sum", 0, "attribute", "start");
        var path = AttributePath.of(a[0]);
        Object sum = a[1] == null ? 0L : a[1];
        if (sum instanceof String) {
            throw PythonError.type("sum() can't sum strings [use ''.join(seq) instead]");
        }
        for (Iterator<Object> items = Iteration.over(input); items.hasNext(); ) {
            sum = Arithmetic.add(sum, path.apply(items.next()));
        }
        return sum;
    }

    private static Object orDefault(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("default", 0, "default_value", "boolean");
        boolean replaced = input instanceof Undefined || (a[1] != null && Truth.of(a[1]) && !Truth.of(input));
        return replaced ? (a[0] == null ? "" : a[0]) : input;
    }

    private static Object attribute(Object input, Arguments arguments) {
        @Nullable Object name = arguments.bind("attr", 1, "name")[0];
        if (!(name instanceof String text)) {
            throw PythonError.type(
                    "attribute name must be string, not '" + TypeName.of(name == null ? None.NONE : name) + "'");
        }
        Object value = Attributes.attribute(input, text);
        return value == null ? Undefined.member(input, text) : value;
    }
}
