package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.method.StringCase;
import io.kvrouter.http.template.operator.Arithmetic;
import io.kvrouter.http.template.python.Comparison;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.DictView;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyFunction;
import io.kvrouter.http.template.value.PyIterator;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.Undefined;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Jinja's tests, a table by name: a new one is a line here. */
public final class Tests {
    private static final Map<String, Test> TESTS = table();

    private Tests() {}

    /** The test, or null if there is none of that name. */
    public static @Nullable Test get(String name) {
        return TESTS.get(name);
    }

    /** What a use of a test that does not exist is told. */
    public static PythonError unknown(String name) {
        return new PythonError(ErrorKind.RUNTIME, "No test named '" + name + "' found.");
    }

    private static Map<String, Test> table() {
        Map<String, Test> table = new HashMap<>();
        ofState(table);
        ofType(table);
        ofNumber(table);
        ofOrder(table);
        return Map.copyOf(table);
    }

    private static void ofState(Map<String, Test> table) {
        table.put("defined", plain(value -> !(value instanceof Undefined)));
        table.put("undefined", plain(value -> value instanceof Undefined));
        table.put("none", plain(value -> value == None.NONE));
        table.put("true", plain(value -> value.equals(true)));
        table.put("false", plain(value -> value.equals(false)));
        table.put("upper", plain(value -> StringCase.hasOneCase(PyText.str(value), Character::isUpperCase)));
        table.put("lower", plain(value -> StringCase.hasOneCase(PyText.str(value), Character::isLowerCase)));
        table.put("escaped", plain(Markup.class::isInstance));
        table.put("filter", plain(value -> PyDict.normal(value) instanceof String name && Filters.get(name) != null));
        table.put("test", plain(value -> PyDict.normal(value) instanceof String name && get(name) != null));
    }

    private static void ofType(Map<String, Test> table) {
        table.put("string", plain(value -> Markup.plain(value) instanceof String));
        table.put("boolean", plain(Boolean.class::isInstance));
        table.put("mapping", plain(PyDict.class::isInstance));
        table.put("number", plain(Numbers::isNumber));
        table.put("integer", plain(value -> Numbers.isInteger(value) && !(value instanceof Boolean)));
        table.put("float", plain(Double.class::isInstance));
        table.put("iterable", plain(Iteration::isIterable));
        table.put("sequence", plain(Tests::isSequence));
        table.put("callable", plain(value -> value instanceof PyFunction || value instanceof Undefined));
    }

    private static boolean isSequence(Object value) {
        return !(value instanceof DictView) && !(value instanceof PyIterator) && Iteration.lengthOrMinusOne(value) >= 0;
    }

    private static void ofNumber(Map<String, Test> table) {
        table.put("odd", plain(value -> Comparison.equal(Arithmetic.modulo(value, 2L), 1L)));
        table.put("even", plain(value -> Comparison.equal(Arithmetic.modulo(value, 2L), 0L)));
        table.put(
                "divisibleby",
                (value, arguments) -> Comparison.equal(Arithmetic.modulo(value, other(arguments, "divisibleby")), 0L));
    }

    private static void ofOrder(Map<String, Test> table) {
        put(table, (value, arguments) -> Comparison.equal(value, other(arguments, "eq")), "eq", "==", "equalto");
        put(table, (value, arguments) -> !Comparison.equal(value, other(arguments, "ne")), "ne", "!=");
        put(table, (value, arguments) -> Comparison.holds(value, other(arguments, "lt"), "<"), "lt", "<", "lessthan");
        put(table, (value, arguments) -> Comparison.holds(value, other(arguments, "le"), "<="), "le", "<=");
        put(
                table,
                (value, arguments) -> Comparison.holds(value, other(arguments, "gt"), ">"),
                "gt",
                ">",
                "greaterthan");
        put(table, (value, arguments) -> Comparison.holds(value, other(arguments, "ge"), ">="), "ge", ">=");
        put(table, (value, arguments) -> Comparison.identical(value, other(arguments, "sameas")), "sameas");
        put(table, (value, arguments) -> Comparison.contains(other(arguments, "in"), value), "in");
    }

    private static void put(Map<String, Test> table, Test test, String... names) {
        for (String name : names) {
            table.put(name, test);
        }
    }

    private static Test plain(Predicate<Object> predicate) {
        return (value, arguments) -> {
            if (!arguments.isEmpty()) {
                throw PythonError.type("the test takes 1 positional argument, more were given");
            }
            return predicate.test(value);
        };
    }

    private static Object other(Arguments arguments, String test) {
        if (arguments.positional().size() == 1 && arguments.named().isEmpty()) {
            return arguments.positional().get(0);
        }
        return Objects.requireNonNull(arguments.bind("test_" + test, 1, "other")[0]);
    }
}
