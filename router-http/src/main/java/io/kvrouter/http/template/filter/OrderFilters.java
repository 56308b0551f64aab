package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.python.Comparison;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyIterator;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Filters that compare items: they sort, group, or find the least. */
final class OrderFilters {
    private OrderFilters() {}

    static void addTo(Map<String, Filter> table) {
        table.put("sort", OrderFilters::sort);
        table.put("dictsort", OrderFilters::sortDict);
        table.put("unique", OrderFilters::unique);
        table.put("groupby", OrderFilters::groupBy);
        table.put("min", (input, arguments) -> extreme(input, arguments, 1));
        table.put("max", (input, arguments) -> extreme(input, arguments, -1));
    }

    private static boolean isTrue(@Nullable Object argument) {
        return argument != null && Truth.of(argument);
    }

    /** Stable, also in reverse. */
    private static List<Object> sorted(List<Object> items, UnaryOperator<Object> key, boolean reverse) {
        List<Object[]> keyed = new ArrayList<>(items.size());
        items.forEach(item -> keyed.add(new Object[] {key.apply(item), item}));
        Comparator<Object[]> order = (a, b) -> Comparison.compare(a[0], b[0], "<");
        keyed.sort(reverse ? order.reversed() : order);
        return new ArrayList<>(keyed.stream().map(pair -> pair[1]).toList());
    }

    private static Object sort(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("sort", 0, "reverse", "case_sensitive", "attribute");
        List<AttributePath> paths = new ArrayList<>();
        if (a[2] instanceof String several) {
            for (String one : several.split(",", -1)) {
                paths.add(AttributePath.comparing(one, isTrue(a[1])));
            }
        } else {
            paths.add(AttributePath.comparing(a[2], isTrue(a[1])));
        }
        return sorted(
                Iteration.list(input),
                item -> paths.stream().map(path -> path.apply(item)).toList(),
                isTrue(a[0]));
    }

    private static Object sortDict(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("dictsort", 0, "case_sensitive", "by", "reverse");
        Object by = a[1] == null ? "key" : a[1];
        if (!by.equals("key") && !by.equals("value")) {
            throw new PythonError(ErrorKind.FILTER_ARGUMENT, "You can only sort by either \"key\" or \"value\"");
        }
        if (input instanceof Undefined undefined) {
            throw undefined.error();
        }
        if (!(input instanceof PyDict dict)) {
            throw new PythonError(ErrorKind.ATTRIBUTE, "the object has no attribute 'items'");
        }
        var path = AttributePath.comparing(by.equals("key") ? 0L : 1L, isTrue(a[0]));
        return sorted(dict.items(), path, isTrue(a[2]));
    }

    private static Object unique(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("unique", 0, "case_sensitive", "attribute");
        var path = AttributePath.comparing(a[1], isTrue(a[0]));
        Set<Object> seen = new HashSet<>();
        return new PyIterator(
                new SelectedItems(Iteration.over(input), item -> seen.add(PyDict.normal(path.apply(item)))));
    }

    private static Object extreme(Object input, Arguments arguments, int sign) {
        @Nullable Object[] a = arguments.bind(sign > 0 ? "min" : "max", 0, "case_sensitive", "attribute");
        var path = AttributePath.comparing(a[1], isTrue(a[0]));
        Object best = null;
        Object bestKey = None.NONE;
        for (Object item : Iteration.list(input)) {
            Object key = path.apply(item);
            if (best == null || sign * Comparison.compare(key, bestKey, sign > 0 ? "<" : ">") < 0) {
                best = item;
                bestKey = key;
            }
        }
        return best == null ? Undefined.because("No aggregated item, sequence was empty.") : best;
    }

    private static Object groupBy(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("groupby", 1, "attribute", "default", "case_sensitive");
        var path = AttributePath.comparing(a[0], isTrue(a[2])).orElse(a[1]);
        var shown = AttributePath.of(a[0]).orElse(a[1]);
        List<Object> groups = new ArrayList<>();
        List<Object> group = new ArrayList<>();
        for (Object item : sorted(Iteration.list(input), path, false)) {
            if (!group.isEmpty() && !Comparison.equal(path.apply(group.get(0)), path.apply(item))) {
                groups.add(PyTuple.of(shown.apply(group.get(0)), group));
                group = new ArrayList<>();
            }
            group.add(item);
        }
        if (!group.isEmpty()) {
            groups.add(PyTuple.of(shown.apply(group.get(0)), group));
        }
        return groups;
    }
}
