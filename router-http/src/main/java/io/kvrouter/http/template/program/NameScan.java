package io.kvrouter.http.template.program;

import io.kvrouter.http.template.syntax.CallArguments;
import io.kvrouter.http.template.syntax.Expr;
import io.kvrouter.http.template.syntax.Stmt;
import io.kvrouter.http.template.syntax.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the names that statements read and assign in their own scope, in the order in which that happens. It does not go
 * into what has a scope of its own.
 */
final class NameScan {
    private Scope scope;

    NameScan(Scope scope) {
        this.scope = scope;
    }

    void statements(List<? extends Stmt> statements) {
        statements.forEach(this::statement);
    }

    private void statement(Stmt statement) {
        switch (statement) {
            case Stmt.Text text -> {}
            case Stmt.Print print -> expression(print.value());
            case Stmt.If conditional -> conditional(conditional);
            case Stmt.For loop -> expression(loop.loop().items());
            case Stmt.Break end -> {}
            case Stmt.Continue next -> {}
            case Stmt.Set set -> {
                expression(set.value());
                target(set.target());
            }
            case Stmt.SetBlock set -> target(set.target());
            case Stmt.Macro macro -> scope.store(macro.name());
            case Stmt.CallBlock call -> expression(call.call());
            case Stmt.Generation generation -> {}
            case Stmt.FilterBlock filter -> expression(filter.filter());
            case Stmt.With with -> expressions(with.values());
        }
    }

    private void conditional(Stmt.If conditional) {
        expression(conditional.condition());
        scope.merge(
                List.of(branch(conditional.body()), branch(conditional.otherIfs()), branch(conditional.otherwise())));
    }

    private Scope branch(List<? extends Stmt> statements) {
        Scope before = scope;
        Scope branch = before.branch();
        scope = branch;
        statements(statements);
        scope = before;
        return branch;
    }

    private void target(Target target) {
        switch (target) {
            case Target.Variable variable -> scope.store(variable.name());
            case Target.Member member -> scope.load(member.namespace());
            case Target.Several several -> several.targets().forEach(this::target);
        }
    }

    /** The variables of a loop or a {@code with}. */
    void parameters(Target target) {
        switch (target) {
            case Target.Variable variable -> scope.parameter(variable.name());
            case Target.Member member -> scope.load(member.namespace());
            case Target.Several several -> several.targets().forEach(this::parameters);
        }
    }

    void expressions(List<Expr> expressions) {
        expressions.forEach(this::expression);
    }

    void expression(@Nullable Expr expression) {
        switch (expression) {
            case null -> {}
            case Expr.Const constant -> {}
            case Expr.Name name -> scope.load(name.name());
            case Expr.ListOf list -> expressions(list.items());
            case Expr.TupleOf tuple -> expressions(tuple.items());
            case Expr.DictOf dict -> {
                expressions(dict.keys());
                expressions(dict.values());
            }
            case Expr.Concat concat -> expressions(concat.parts());
            case Expr.Compare compare -> {
                expression(compare.first());
                compare.rest().forEach(operand -> expression(operand.right()));
            }
            case Expr.Attribute attribute -> expression(attribute.owner());
            case Expr.Call call -> call(call.callee(), call.arguments());
            case Expr.Filter filter -> call(filter.input(), filter.arguments());
            case Expr.Test test -> call(test.input(), test.arguments());
            default -> operator(expression);
        }
    }

    private void operator(Expr expression) {
        switch (expression) {
            case Expr.Unary unary -> expression(unary.operand());
            case Expr.Item item -> both(item.owner(), item.key());
            case Expr.Binary binary -> both(binary.left(), binary.right());
            case Expr.And and -> both(and.left(), and.right());
            case Expr.Or or -> both(or.left(), or.right());
            case Expr.Slice slice -> {
                both(slice.owner(), slice.start());
                both(slice.stop(), slice.step());
            }
            case Expr.Conditional conditional -> {
                both(conditional.condition(), conditional.value());
                expression(conditional.otherwise());
            }
            default -> {}
        }
    }

    private void both(Expr first, Expr second) {
        expression(first);
        expression(second);
    }

    private void call(@Nullable Expr callee, CallArguments arguments) {
        expression(callee);
        expressions(arguments.values());
        expression(arguments.moreValues());
        expression(arguments.moreNamed());
    }
}
