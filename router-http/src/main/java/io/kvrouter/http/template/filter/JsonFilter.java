package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.format.JsonStyle;
import io.kvrouter.http.template.format.JsonText;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PythonError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code tojson} as transformers defines it: {@code json.dumps}, not jinja2's HTML-safe one. */
final class JsonFilter {
    private JsonFilter() {}

    static void addTo(Map<String, Filter> table) {
        table.put("tojson", JsonFilter::apply);
    }

    private static Object apply(Object input, Arguments arguments) {
        if (arguments.isEmpty()) {
            return JsonText.of(input, JsonStyle.COMPACT);
        }
        @Nullable Object[] a = arguments.bind("tojson", 0, "ensure_ascii", "indent", "separators", "sort_keys");
        return JsonText.of(input, style(a));
    }

    private static JsonStyle style(@Nullable Object[] a) {
        boolean ascii = a[0] != null && Truth.of(a[0]);
        boolean sort = a[3] != null && Truth.of(a[3]);
        String indent = a[1] == null ? null : indent(a[1]);
        if (a[2] == null || a[2] == None.NONE) {
            return new JsonStyle(ascii, indent, indent == null ? ", " : ",", ": ", sort);
        }
        List<Object> separators = Iteration.list(a[2]);
        if (separators.size() == 2
                && separators.get(0) instanceof String item
                && separators.get(1) instanceof String key) {
            return new JsonStyle(ascii, indent, item, key, sort);
        }
        throw PythonError.type("separators must be two texts");
    }

    private static @Nullable String indent(Object indent) {
        return switch (indent) {
            case None none -> null;
            case String text -> text;
            default -> " ".repeat(TextLimit.check(Math.max(0, Numbers.asIndex(indent))));
        };
    }
}
