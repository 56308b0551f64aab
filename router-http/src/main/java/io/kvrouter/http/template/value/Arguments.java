package io.kvrouter.http.template.value;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a call passes: values by position and by name. */
public record Arguments(List<Object> positional, Map<String, Object> named) {
    public static final Arguments NONE = new Arguments(List.of(), Map.of());

    public static Arguments of(Object... positional) {
        return new Arguments(List.of(positional), Map.of());
    }

    public boolean isEmpty() {
        return positional.isEmpty() && named.isEmpty();
    }

    /**
     * Matches the arguments with a function's parameters.
     *
     * @param required how many of the parameters, from the first, have no default
     * @return one value per parameter, null where the default applies
     */
    public @Nullable Object[] bind(String function, int required, String... parameters) {
        if (positional.size() > parameters.length) {
            throw PythonError.type(function + "() takes at most " + parameters.length + " arguments ("
                    + positional.size() + " given)");
        }
        @Nullable Object[] bound = Arrays.copyOf(positional.toArray(), parameters.length);
        named.forEach((name, value) -> bound[free(function, name, parameters)] = value);
        for (int i = 0; i < required; i++) {
            if (bound[i] == null) {
                throw PythonError.type(function + "() missing required argument: '" + parameters[i] + "'");
            }
        }
        return bound;
    }

    private int free(String function, String name, String[] parameters) {
        int index = Arrays.asList(parameters).indexOf(name);
        if (index < 0) {
            throw PythonError.type(function + "() got an unexpected keyword argument '" + name + "'");
        }
        if (index < positional.size()) {
            throw PythonError.type(function + "() got multiple values for argument '" + name + "'");
        }
        return index;
    }

    /** The arguments of a function that takes none by name. */
    public @Nullable Object[] byPosition(String function, int least, int most) {
        if (!named.isEmpty()) {
            throw PythonError.type(function + "() takes no keyword arguments");
        }
        int given = positional.size();
        if (given < least || given > most) {
            String expected = least == most ? "exactly " + least : "from " + least + " to " + most;
            throw PythonError.type(function + "() takes " + expected + " arguments (" + given + " given)");
        }
        return Arrays.copyOf(positional.toArray(), most);
    }

    /** These and one more by name. */
    public Arguments with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(named);
        more.put(name, value);
        return new Arguments(positional, more);
    }

    /** These without the first so many by position. */
    public Arguments after(int count) {
        return new Arguments(positional.subList(count, positional.size()), named);
    }
}
