package io.kvrouter.http.template.program;

import io.kvrouter.http.template.filter.Filter;
import io.kvrouter.http.template.filter.Filters;
import io.kvrouter.http.template.filter.Test;
import io.kvrouter.http.template.filter.Tests;
import io.kvrouter.http.template.method.Attributes;
import io.kvrouter.http.template.method.Method;
import io.kvrouter.http.template.method.StringMethods;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.runtime.Code;
import io.kvrouter.http.template.runtime.Frame;
import io.kvrouter.http.template.syntax.CallArguments;
import io.kvrouter.http.template.syntax.Expr;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyFunction;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls, filters and tests to code. */
final class CallCompiler {
    private final ExpressionCompiler expressions;

    CallCompiler(ExpressionCompiler expressions) {
        this.expressions = expressions;
    }

    /** Makes a call's arguments. */
    @FunctionalInterface
    interface Preparation {
        Arguments prepare(Frame frame);
    }

    Code call(Expr.Call call) {
        return call(call, arguments(call.arguments()));
    }

    Code call(Expr.Call call, Preparation arguments) {
        if (call.callee() instanceof Expr.Attribute attribute) {
            return methodCall(attribute, arguments);
        }
        Code callee = expressions.compile(call.callee());
        return frame -> {
            Object function = callee.eval(frame);
            return call(function, arguments.prepare(frame), frame);
        };
    }

    /** Most calls are methods of texts: found when the template is compiled, and called without being bound first. */
    private Code methodCall(Expr.Attribute attribute, Preparation arguments) {
        Code owner = expressions.compile(attribute.owner());
        String name = attribute.name();
        Method<String> ofText = StringMethods.get(name);
        return frame -> {
            Object self = owner.eval(frame);
            if (ofText != null && self instanceof String text) {
                return frame.render().charge(ofText.call(text, arguments.prepare(frame)));
            }
            return call(Attributes.get(self, name), arguments.prepare(frame), frame);
        };
    }

    private static Object call(Object function, Arguments arguments, Frame frame) {
        if (function instanceof PyFunction callable) {
            return frame.render().charge(callable.call(arguments));
        }
        if (function instanceof Undefined undefined) {
            throw undefined.error();
        }
        throw PythonError.type("'" + TypeName.of(function) + "' object is not callable");
    }

    Code filter(Expr.Filter filter) {
        Expr input = filter.input();
        if (input == null) {
            throw new IllegalArgumentException("filter " + filter.name() + " has no input (expected: one)");
        }
        return filter(filter, expressions.compile(input));
    }

    /** A filter, or several one after the other, on a body's text. */
    Code filterOf(Expr.Filter filter, Code body) {
        return filter(filter, filter.input() instanceof Expr.Filter before ? filterOf(before, body) : body);
    }

    private Code filter(Expr.Filter filter, Code input) {
        String name = filter.name();
        Filter function = Filters.get(name);
        Preparation arguments = arguments(filter.arguments());
        return frame -> {
            if (function == null) {
                throw Filters.unknown(name);
            }
            return frame.render().charge(function.apply(input.eval(frame), arguments.prepare(frame)));
        };
    }

    Code test(Expr.Test test) {
        String name = test.name();
        Code input = expressions.compile(test.input());
        Test function = Tests.get(name);
        Preparation arguments = arguments(test.arguments());
        return frame -> {
            if (function == null) {
                throw Tests.unknown(name);
            }
            return function.holds(input.eval(frame), arguments.prepare(frame));
        };
    }

    Preparation arguments(CallArguments written) {
        Code[] values = expressions.compile(written.values());
        if (values.length == 0 && written.moreValues() == null && written.moreNamed() == null) {
            return frame -> Arguments.NONE;
        }
        if (written.names().isEmpty() && written.moreValues() == null && written.moreNamed() == null) {
            return frame -> new Arguments(ExpressionCompiler.values(values, frame), Map.of());
        }
        Code moreValues = written.moreValues() == null ? null : expressions.compile(written.moreValues());
        Code moreNamed = written.moreNamed() == null ? null : expressions.compile(written.moreNamed());
        List<String> names = written.names();
        int positional = written.positional();
        return frame -> {
            List<Object> all = ExpressionCompiler.values(values, frame);
            List<Object> given = new ArrayList<>(all.subList(0, positional));
            Map<String, Object> named = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                named.put(names.get(i), all.get(positional + i));
            }
            addMore(given, moreValues, frame);
            addMore(named, moreNamed, frame);
            return new Arguments(given, named);
        };
    }

    private static void addMore(List<Object> given, @Nullable Code more, Frame frame) {
        if (more != null) {
            given.addAll(Iteration.list(more.eval(frame)));
        }
    }

    private static void addMore(Map<String, Object> named, @Nullable Code more, Frame frame) {
        if (more == null) {
            return;
        }
        if (!(more.eval(frame) instanceof PyDict dict)) {
            throw PythonError.type("argument after ** must be a mapping");
        }
        dict.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw PythonError.type("keywords must be strings");
            }
            if (named.put(name, value) != null) {
                throw PythonError.type("got multiple values for keyword argument '" + name + "'");
            }
        });
    }
}
