package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.method.Attributes;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A filter's {@code attribute}: a name, a number, or several with dots between. */
record AttributePath(List<Object> parts, @Nullable Object absent, boolean ignoreCase) implements UnaryOperator<Object> {
    static AttributePath of(@Nullable Object attribute) {
        return new AttributePath(parts(attribute), null, false);
    }

    /** For filters that compare: texts in lower case, unless told otherwise. */
    static AttributePath comparing(@Nullable Object attribute, boolean caseSensitive) {
        return new AttributePath(parts(attribute), null, !caseSensitive);
    }

    /** What stands in for a value that is undefined. */
    AttributePath orElse(@Nullable Object value) {
        return new AttributePath(parts, value == None.NONE ? null : value, ignoreCase);
    }

    private static List<Object> parts(@Nullable Object attribute) {
        if (attribute == null || attribute == None.NONE) {
            return List.of();
        }
        if (!(attribute instanceof String path)) {
            return List.of(attribute);
        }
        List<Object> parts = new ArrayList<>();
        for (String part : path.split("\\.", -1)) {
            parts.add(part.matches("[0-9]{1,9}") ? (Object) Long.valueOf(part) : part);
        }
        return parts;
    }

    @Override
    public Object apply(Object item) {
        Object value = item;
        for (Object part : parts) {
            value = Attributes.item(value, part);
            if (absent != null && value instanceof Undefined) {
                value = absent;
            }
        }
        return ignoreCase && value instanceof String text ? text.toLowerCase(Locale.ROOT) : value;
    }
}
