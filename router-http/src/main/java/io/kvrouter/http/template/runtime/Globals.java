package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.format.Strftime;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyFunction;
import io.kvrouter.http.template.value.PyRange;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The names that every template has: jinja2's, and those of transformers. */
public final class Globals {
    /** The sandbox refuses longer ranges. */
    private static final int LONGEST_RANGE = 100_000;

    private Globals() {}

    /**
     * The names and their values, to which more may be added.
     *
     * @param now asked when a template asks for the time
     */
    public static Map<String, Object> table(Supplier<LocalDateTime> now) {
        Map<String, Object> table = new HashMap<>();
        put(table, "range", Globals::range);
        put(table, "dict", Globals::dict);
        put(table, "namespace", arguments -> new Namespace(dict(arguments)));
        put(table, "cycler", arguments -> new Cycler(arguments.positional()));
        put(table, "joiner", Globals::joiner);
        put(table, "raise_exception", Globals::raise);
        put(table, "strftime_now", arguments -> {
            arguments.bind("strftime_now", 1, "format");
            return Strftime.of(now.get(), PyText.str(first(arguments)));
        });
        return table;
    }

    private static void put(Map<String, Object> table, String name, PyFunction function) {
        table.put(name, function);
    }

    private static Object first(Arguments arguments) {
        return arguments.positional().isEmpty()
                ? arguments.named().values().iterator().next()
                : arguments.positional().get(0);
    }

    private static Object raise(Arguments arguments) {
        arguments.bind("raise_exception", 1, "message");
        throw new PythonError(ErrorKind.TEMPLATE, PyText.str(first(arguments)));
    }

    private static Object range(Arguments arguments) {
        arguments.byPosition("range", 1, 3);
        long[] numbers =
                arguments.positional().stream().mapToLong(Numbers::asIndex).toArray();
        long step = numbers.length == 3 ? numbers[2] : 1;
        if (step == 0) {
            throw PythonError.value("range() arg 3 must not be zero");
        }
        var range = numbers.length == 1 ? new PyRange(0, numbers[0], 1) : new PyRange(numbers[0], numbers[1], step);
        if (range.length() > LONGEST_RANGE) {
            throw new PythonError(
                    ErrorKind.OVERFLOW,
                    "Range too big. The sandbox blocks ranges larger than MAX_RANGE (" + LONGEST_RANGE + ").");
        }
        return range;
    }

    private static PyDict dict(Arguments arguments) {
        if (arguments.positional().size() > 1) {
            throw PythonError.type("dict expected at most 1 argument, got "
                    + arguments.positional().size());
        }
        var dict = new PyDict();
        for (Object source : arguments.positional()) {
            if (source instanceof PyDict other) {
                other.forEach(dict::put);
            } else {
                Iteration.over(source).forEachRemaining(pair -> putPair(dict, pair));
            }
        }
        arguments.named().forEach(dict::put);
        return dict;
    }

    private static void putPair(PyDict dict, Object pair) {
        List<Object> parts = Iteration.items(pair);
        if (parts == null || parts.size() != 2) {
            throw PythonError.value("a '" + TypeName.of(pair) + "' is no pair of key and value");
        }
        dict.put(parts.get(0), parts.get(1));
    }

    private static Object joiner(Arguments arguments) {
        arguments.bind("joiner", 0, "sep");
        Object separator = arguments.isEmpty() ? ", " : first(arguments);
        boolean[] used = new boolean[1];
        return (PyFunction) none -> {
            boolean first = !used[0];
            used[0] = true;
            return first ? "" : separator;
        };
    }
}
