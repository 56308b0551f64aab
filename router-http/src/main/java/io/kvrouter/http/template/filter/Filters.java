package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jinja's filters by name: each group adds its own. */
public final class Filters {
    private static final Map<String, Filter> FILTERS = table();

    private Filters() {}

    /** The filter, or null if there is none of that name. */
    public static @Nullable Filter get(String name) {
        return FILTERS.get(name);
    }

    /** What a use of a filter that does not exist is told. */
    public static PythonError unknown(String name) {
        return new PythonError(ErrorKind.RUNTIME, "No filter named '" + name + "' found.");
    }

    private static Map<String, Filter> table() {
        Map<String, Filter> table = new HashMap<>();
        TextFilters.addTo(table);
        LayoutFilters.addTo(table);
        NumberFilters.addTo(table);
        SequenceFilters.addTo(table);
        SelectionFilters.addTo(table);
        OrderFilters.addTo(table);
        JsonFilter.addTo(table);
        return Map.copyOf(table);
    }
}
