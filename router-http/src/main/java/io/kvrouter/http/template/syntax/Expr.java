package io.kvrouter.http.template.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression of a template. */
public sealed interface Expr {
    /** A literal. */
    record Const(Object value) implements Expr {}

    /** A variable that is read. */
    record Name(String name) implements Expr {}

    record ListOf(List<Expr> items) implements Expr {}

    record TupleOf(List<Expr> items) implements Expr {}

    /** A dict; keys and values side by side. */
    record DictOf(List<Expr> keys, List<Expr> values) implements Expr {}

    /** {@code owner.name}. */
    record Attribute(Expr owner, String name) implements Expr {}

    /** {@code owner[key]}. */
    record Item(Expr owner, Expr key) implements Expr {}

    /** {@code owner[start:stop:step]}; None where a bound is left out. */
    record Slice(Expr owner, Expr start, Expr stop, Expr step) implements Expr {}

    record Call(Expr callee, CallArguments arguments) implements Expr {}

    /** {@code input | name(arguments)}; no input in a filter block, whose body it is. */
    record Filter(@Nullable Expr input, String name, CallArguments arguments) implements Expr {}

    /** {@code input is name(arguments)}. */
    record Test(Expr input, String name, CallArguments arguments) implements Expr {}

    /** {@code not}, {@code -} or {@code +}. */
    record Unary(String operator, Expr operand) implements Expr {}

    /** An arithmetic operator. */
    record Binary(String operator, Expr left, Expr right) implements Expr {}

    /** {@code a ~ b ~ c}: the texts of all, joined. */
    record Concat(List<Expr> parts) implements Expr {}

    /** {@code a < b < c}: every neighbouring pair; also {@code in} and {@code not in}. */
    record Compare(Expr first, List<Operand> rest) implements Expr {}

    record Operand(String operator, Expr right) {}

    record And(Expr left, Expr right) implements Expr {}

    record Or(Expr left, Expr right) implements Expr {}

    /** {@code value if condition else otherwise}. */
    record Conditional(Expr condition, Expr value, @Nullable Expr otherwise) implements Expr {}
}
