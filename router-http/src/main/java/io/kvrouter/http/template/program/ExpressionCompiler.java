package io.kvrouter.http.template.program;

import io.kvrouter.http.template.method.Attributes;
import io.kvrouter.http.template.operator.Arithmetic;
import io.kvrouter.http.template.operator.Subscript;
import io.kvrouter.http.template.python.Comparison;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.runtime.Code;
import io.kvrouter.http.template.runtime.Frame;
import io.kvrouter.http.template.runtime.TextParts;
import io.kvrouter.http.template.syntax.Expr;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;

/** Expressions to code. */
final class ExpressionCompiler {
    private final Scope scope;
    private final CallCompiler calls;

    ExpressionCompiler(Scope scope) {
        this.scope = scope;
        this.calls = new CallCompiler(this);
    }

    CallCompiler calls() {
        return calls;
    }

    Code compile(Expr expression) {
        return switch (expression) {
            case Expr.Const constant -> constant(constant.value());
            case Expr.Name name -> name(name.name());
            case Expr.ListOf list -> {
                Code[] items = compile(list.items());
                yield frame -> values(items, frame);
            }
            case Expr.TupleOf tuple -> {
                Code[] items = compile(tuple.items());
                yield frame -> new PyTuple(values(items, frame));
            }
            case Expr.DictOf dict -> dict(compile(dict.keys()), compile(dict.values()));
            case Expr.Attribute attribute -> attribute(attribute);
            case Expr.Item item -> {
                Code owner = compile(item.owner());
                Code key = compile(item.key());
                yield frame -> Attributes.item(owner.eval(frame), key.eval(frame));
            }
            case Expr.Slice slice -> slice(slice);
            case Expr.Call call -> calls.call(call);
            case Expr.Filter filter -> calls.filter(filter);
            case Expr.Test test -> calls.test(test);
            default -> operator(expression);
        };
    }

    private Code operator(Expr expression) {
        return switch (expression) {
            case Expr.Unary unary -> unary(unary);
            case Expr.Binary binary -> binary(binary);
            case Expr.Concat concat -> new TextParts.Concatenation(compile(concat.parts()));
            case Expr.Compare compare -> comparison(compare);
            case Expr.And and -> {
                Code left = compile(and.left());
                Code right = compile(and.right());
                yield frame -> {
                    Object value = left.eval(frame);
                    return Truth.of(value) ? right.eval(frame) : value;
                };
            }
            case Expr.Or or -> {
                Code left = compile(or.left());
                Code right = compile(or.right());
                yield frame -> {
                    Object value = left.eval(frame);
                    return Truth.of(value) ? value : right.eval(frame);
                };
            }
            case Expr.Conditional conditional -> conditional(conditional);
            default ->
                throw new IllegalArgumentException("expression: " + expression.getClass() + " (expected: an operator)");
        };
    }

    Code[] compile(List<Expr> expressions) {
        return expressions.stream().map(this::compile).toArray(Code[]::new);
    }

    static List<Object> values(Code[] codes, Frame frame) {
        Object[] values = new Object[codes.length];
        for (int i = 0; i < codes.length; i++) {
            values[i] = codes[i].eval(frame);
        }
        return Arrays.asList(values);
    }

    private static Code constant(Object value) {
        return frame -> value;
    }

    private Code name(String name) {
        Code reader = scope.slot(name).reader(scope.activation());
        return frame -> {
            Object value = reader.eval(frame);
            return Frame.isMissing(value) ? Undefined.variable(name) : value;
        };
    }

    private static Code dict(Code[] keys, Code[] values) {
        return frame -> {
            var dict = new PyDict();
            for (int i = 0; i < keys.length; i++) {
                dict.put(keys[i].eval(frame), values[i].eval(frame));
            }
            return dict;
        };
    }

    private Code attribute(Expr.Attribute attribute) {
        Code owner = compile(attribute.owner());
        String name = attribute.name();
        if (!Attributes.isItemOfDict(name)) {
            return frame -> Attributes.get(owner.eval(frame), name);
        }
        return frame -> {
            Object value = owner.eval(frame);
            Object item = value instanceof PyDict dict ? dict.get(name) : null;
            return item == null ? Attributes.get(value, name) : item;
        };
    }

    private Code slice(Expr.Slice slice) {
        Code owner = compile(slice.owner());
        Code start = compile(slice.start());
        Code stop = compile(slice.stop());
        Code step = compile(slice.step());
        return frame -> frame.render()
                .charge(Subscript.slice(owner.eval(frame), start.eval(frame), stop.eval(frame), step.eval(frame)));
    }

    private Code unary(Expr.Unary unary) {
        Code operand = compile(unary.operand());
        return switch (unary.operator()) {
            case "not" -> frame -> !Truth.of(operand.eval(frame));
            case "-" -> frame -> Arithmetic.negate(operand.eval(frame));
            default -> frame -> Arithmetic.plus(operand.eval(frame));
        };
    }

    private Code binary(Expr.Binary binary) {
        if (binary.operator().equals("+")) {
            List<Code> parts = new ArrayList<>();
            addends(binary, parts);
            return new TextParts.Sum(parts.toArray(Code[]::new));
        }
        Code left = compile(binary.left());
        Code right = compile(binary.right());
        BinaryOperator<Object> operator = arithmetic(binary.operator());
        return frame -> frame.render().charge(operator.apply(left.eval(frame), right.eval(frame)));
    }

    private void addends(Expr expression, List<Code> into) {
        if (expression instanceof Expr.Binary sum && sum.operator().equals("+")) {
            addends(sum.left(), into);
            into.add(compile(sum.right()));
        } else {
            into.add(compile(expression));
        }
    }

    private static BinaryOperator<Object> arithmetic(String operator) {
        return switch (operator) {
            case "-" -> Arithmetic::subtract;
            case "*" -> Arithmetic::multiply;
            case "/" -> Arithmetic::divide;
            case "//" -> Arithmetic::floorDivide;
            case "%" -> Arithmetic::modulo;
            default -> Arithmetic::power;
        };
    }

    private Code comparison(Expr.Compare compare) {
        Code first = compile(compare.first());
        List<Expr.Operand> rest = compare.rest();
        Code[] others = rest.stream().map(operand -> compile(operand.right())).toArray(Code[]::new);
        Relation[] relations =
                rest.stream().map(operand -> relation(operand.operator())).toArray(Relation[]::new);
        if (others.length == 1) {
            Code second = others[0];
            Relation relation = relations[0];
            return frame -> relation.holds(first.eval(frame), second.eval(frame));
        }
        return frame -> {
            Object left = first.eval(frame);
            for (int i = 0; i < others.length; i++) {
                Object right = others[i].eval(frame);
                if (!relations[i].holds(left, right)) {
                    return false;
                }
                left = right;
            }
            return true;
        };
    }

    private interface Relation {
        boolean holds(Object left, Object right);
    }

    private static Relation relation(String operator) {
        return switch (operator) {
            case "==" -> Comparison::equal;
            case "!=" -> (left, right) -> !Comparison.equal(left, right);
            case "in" -> (left, right) -> Comparison.contains(right, left);
            case "not in" -> (left, right) -> !Comparison.contains(right, left);
            default -> (left, right) -> Comparison.holds(left, right, operator);
        };
    }

    private Code conditional(Expr.Conditional conditional) {
        Code condition = compile(conditional.condition());
        Code value = compile(conditional.value());
        Code otherwise = conditional.otherwise() == null
                ? constant(Undefined.because(
                        "the inline if-expression evaluated to false and no else section was defined."))
                : compile(conditional.otherwise());
        return new TextParts.Choice(condition, value, otherwise);
    }
}
