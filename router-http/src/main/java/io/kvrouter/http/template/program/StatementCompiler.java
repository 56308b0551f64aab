package io.kvrouter.http.template.program;

import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.runtime.Assignment;
import io.kvrouter.http.template.runtime.Code;
import io.kvrouter.http.template.runtime.Macro;
import io.kvrouter.http.template.runtime.Sequence;
import io.kvrouter.http.template.runtime.Step;
import io.kvrouter.http.template.runtime.Step.Flow;
import io.kvrouter.http.template.syntax.Expr;
import io.kvrouter.http.template.syntax.Stmt;
import io.kvrouter.http.template.syntax.TemplateSyntaxException;
import io.kvrouter.http.template.value.Arguments;
import java.util.ArrayList;
import java.util.List;

/** Statements of one scope to steps. */
final class StatementCompiler {
    private final Scope scope;
    private final boolean inLoop;
    private final ExpressionCompiler expressions;
    private final TargetCompiler targets;

    /** @param scope whose names are known already */
    StatementCompiler(Scope scope, boolean inLoop) {
        this.scope = scope;
        this.inLoop = inLoop;
        this.expressions = new ExpressionCompiler(scope);
        this.targets = new TargetCompiler(scope);
    }

    Step compile(List<? extends Stmt> statements) {
        List<Step> steps = new ArrayList<>(statements.size());
        statements.forEach(statement -> steps.add(compile(statement)));
        return Sequence.of(steps);
    }

    private Step compile(Stmt statement) {
        return switch (statement) {
            case Stmt.Text text -> text(text.text());
            case Stmt.Print print -> print(print);
            case Stmt.If conditional -> conditional(conditional);
            case Stmt.For loop -> new LoopCompiler(scope, inLoop).compile(loop);
            case Stmt.Break end -> flow(Flow.BREAK, end.line());
            case Stmt.Continue next -> flow(Flow.CONTINUE, next.line());
            case Stmt.Set set -> {
                Code value = expressions.compile(set.value());
                Assignment target = targets.compile(set.target());
                int line = set.line();
                yield frame -> {
                    frame.render().at(line);
                    target.assign(frame, value.eval(frame));
                    return Flow.NEXT;
                };
            }
            case Stmt.SetBlock set -> setBlock(set);
            case Stmt.Macro macro -> macro(macro);
            case Stmt.CallBlock call -> callBlock(call);
            case Stmt.Generation generation -> generation(generation);
            case Stmt.FilterBlock filter -> filterBlock(filter);
            case Stmt.With with -> with(with);
        };
    }

    private static Step text(String text) {
        return frame -> {
            frame.write(text);
            return Flow.NEXT;
        };
    }

    private Step print(Stmt.Print print) {
        Code value = expressions.compile(print.value());
        int line = print.line();
        return frame -> {
            frame.render().at(line);
            value.emit(frame);
            return Flow.NEXT;
        };
    }

    private Step flow(Flow flow, int line) {
        if (!inLoop) {
            throw new TemplateSyntaxException("break or continue outside of a loop", line);
        }
        return frame -> flow;
    }

    private Step conditional(Stmt.If conditional) {
        Step otherwise = compile(conditional.otherwise());
        for (Stmt.If other : conditional.otherIfs().reversed()) {
            otherwise = choice(other, otherwise);
        }
        return choice(conditional, otherwise);
    }

    private Step choice(Stmt.If conditional, Step otherwise) {
        Code condition = expressions.compile(conditional.condition());
        Step body = compile(conditional.body());
        int line = conditional.line();
        return frame -> {
            frame.render().at(line);
            return (Truth.of(condition.eval(frame)) ? body : otherwise).run(frame);
        };
    }

    /** A body that writes to a place of its own, in a scope of its own. */
    private Code captured(Scope inner, List<Stmt> statements) {
        new NameScan(inner).statements(statements);
        Step body = new StatementCompiler(inner, false).compile(statements);
        Step entry = inner.entry();
        return frame -> {
            StringBuilder text = new StringBuilder();
            StringBuilder before = frame.divert(text);
            entry.run(frame);
            body.run(frame);
            frame.divert(before);
            return text.toString();
        };
    }

    private Step setBlock(Stmt.SetBlock set) {
        Scope inner = scope.inner();
        new NameScan(inner).expression(set.filter());
        Code body = captured(inner, set.body());
        Expr.Filter filter = set.filter();
        Code value =
                filter == null ? body : new ExpressionCompiler(inner).calls().filterOf(filter, body);
        Assignment target = targets.compile(set.target());
        int line = set.line();
        return frame -> {
            frame.render().at(line);
            target.assign(frame, value.eval(frame));
            return Flow.NEXT;
        };
    }

    private Step filterBlock(Stmt.FilterBlock block) {
        Scope inner = scope.inner();
        new NameScan(inner).expression(block.filter());
        Code body = captured(inner, block.body());
        Code value = new ExpressionCompiler(inner).calls().filterOf(block.filter(), body);
        int line = block.line();
        return frame -> {
            frame.render().at(line);
            value.emit(frame);
            return Flow.NEXT;
        };
    }

    private Step with(Stmt.With with) {
        Scope inner = scope.inner();
        var scan = new NameScan(inner);
        with.targets().forEach(scan::parameters);
        scan.statements(with.body());
        var innerTargets = new TargetCompiler(inner);
        Code[] values = expressions.compile(with.values());
        Assignment[] assignments =
                with.targets().stream().map(innerTargets::compile).toArray(Assignment[]::new);
        Step body = new StatementCompiler(inner, inLoop).compile(with.body());
        Step entry = inner.entry();
        int line = with.line();
        return frame -> {
            frame.render().at(line);
            entry.run(frame);
            for (int i = 0; i < values.length; i++) {
                assignments[i].assign(frame, values[i].eval(frame));
            }
            return body.run(frame);
        };
    }

    private Step macro(Stmt.Macro macro) {
        var definition = new MacroCompiler(scope).compile(macro.name(), macro.signature(), macro.body(), macro.line());
        Assignment target = scope.slot(macro.name()).writer(scope.activation());
        return frame -> {
            target.assign(frame, new Macro(definition, frame));
            return Flow.NEXT;
        };
    }

    private Step callBlock(Stmt.CallBlock block) {
        var definition = new MacroCompiler(scope).compile(null, block.signature(), block.body(), block.line());
        var arguments = expressions.calls().arguments(block.call().arguments());
        Code call = expressions
                .calls()
                .call(block.call(), frame -> arguments.prepare(frame).with("caller", new Macro(definition, frame)));
        int line = block.line();
        return frame -> {
            frame.render().at(line);
            call.emit(frame);
            return Flow.NEXT;
        };
    }

    private Step generation(Stmt.Generation generation) {
        var definition =
                new MacroCompiler(scope).compile(null, Stmt.Signature.NONE, generation.body(), generation.line());
        return frame -> {
            frame.write(new Macro(definition, frame).call(Arguments.NONE));
            return Flow.NEXT;
        };
    }
}
