package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.Comparison;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.DictView;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PythonError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods of dict, list and tuple that change nothing. */
final class ContainerMethods {
    private static final Map<String, Method<PyDict>> DICT = Map.of(
            "items", (self, none) -> new DictView(DictView.Kind.ITEMS, self),
            "keys", (self, none) -> new DictView(DictView.Kind.KEYS, self),
            "values", (self, none) -> new DictView(DictView.Kind.VALUES, self),
            "get", ContainerMethods::get,
            "copy", (self, none) -> new PyDict(self),
            "fromkeys", (self, arguments) -> fromKeys(arguments));
    private static final Map<String, Method<List<?>>> TUPLE =
            Map.of("count", ContainerMethods::count, "index", ContainerMethods::index);
    private static final Map<String, Method<List<?>>> LIST = Map.of(
            "count", ContainerMethods::count,
            "index", ContainerMethods::index,
            "copy", (self, none) -> new ArrayList<Object>(self));

    private ContainerMethods() {}

    static @Nullable Method<PyDict> ofDict(String name) {
        return DICT.get(name);
    }

    static @Nullable Method<List<?>> ofList(String name) {
        return LIST.get(name);
    }

    static @Nullable Method<List<?>> ofTuple(String name) {
        return TUPLE.get(name);
    }

    private static Object get(PyDict self, Arguments arguments) {
        @Nullable Object[] a = arguments.byPosition("get", 1, 2);
        Object key = a[0] == null ? None.NONE : a[0];
        Object value = self.get(key);
        return value != null ? value : a[1] == null ? None.NONE : a[1];
    }

    private static Object fromKeys(Arguments arguments) {
        @Nullable Object[] a = arguments.byPosition("fromkeys", 1, 2);
        Object value = a[1] == null ? None.NONE : a[1];
        var dict = new PyDict();
        Iteration.list(arguments.positional().get(0)).forEach(key -> dict.put(key, value));
        return dict;
    }

    private static Object count(List<?> self, Arguments arguments) {
        arguments.byPosition("count", 1, 1);
        Object wanted = arguments.positional().get(0);
        return self.stream().filter(item -> Comparison.equal(item, wanted)).count();
    }

    private static Object index(List<?> self, Arguments arguments) {
        @Nullable Object[] a = arguments.byPosition("index", 1, 3);
        Object wanted = arguments.positional().get(0);
        int end = a[2] == null ? self.size() : Math.min(self.size(), fromStart(a[2], self.size()));
        for (int i = a[1] == null ? 0 : fromStart(a[1], self.size()); i < end; i++) {
            if (Comparison.equal(self.get(i), wanted)) {
                return (long) i;
            }
        }
        throw PythonError.value("the value is not in list");
    }

    private static int fromStart(Object index, int size) {
        int i = Numbers.asIndex(index);
        return Math.max(0, i < 0 ? i + size : i);
    }
}
