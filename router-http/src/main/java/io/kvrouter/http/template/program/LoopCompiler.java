package io.kvrouter.http.template.program;

import io.kvrouter.http.template.filter.SelectedItems;
import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.python.Truth;
import io.kvrouter.http.template.runtime.Assignment;
import io.kvrouter.http.template.runtime.Code;
import io.kvrouter.http.template.runtime.Frame;
import io.kvrouter.http.template.runtime.LoopContext;
import io.kvrouter.http.template.runtime.Sequence;
import io.kvrouter.http.template.runtime.Slot;
import io.kvrouter.http.template.runtime.Step;
import io.kvrouter.http.template.runtime.Step.Flow;
import io.kvrouter.http.template.syntax.Expr;
import io.kvrouter.http.template.syntax.Stmt;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Loops to steps. The body, the condition and the else branch are scopes of their own. */
final class LoopCompiler {
    private final Scope outer;
    private final boolean inLoop;

    LoopCompiler(Scope outer, boolean inLoop) {
        this.outer = outer;
        this.inLoop = inLoop;
    }

    Step compile(Stmt.For loop) {
        Code items = new ExpressionCompiler(outer).compile(loop.loop().items());
        boolean recursive = loop.loop().recursive();
        Scope home = recursive ? outer.function() : outer;
        Turns turns = turns(loop, home);
        int line = loop.line();
        if (!recursive) {
            return frame -> {
                frame.render().at(line);
                return turns.run(items.eval(frame), frame, null, 0);
            };
        }
        var recursion = new Recursion(turns, home.activation());
        return frame -> {
            frame.render().at(line);
            frame.write(recursion.render(items.eval(frame), frame, 0));
            return Flow.NEXT;
        };
    }

    private Turns turns(Stmt.For loop, Scope home) {
        Scope body = home.inner();
        Slot context = body.parameter("loop");
        var scan = new NameScan(body);
        scan.parameters(loop.loop().target());
        scan.statements(loop.body());
        Assignment target = new TargetCompiler(body).compile(loop.loop().target());
        Step statements = new StatementCompiler(body, true).compile(loop.body());
        Step otherwise = otherwise(loop.otherwise(), home);
        var selection = selection(loop.loop(), home);
        return new Turns(selection, new Body(target, context, body.entry(), statements), otherwise);
    }

    private @Nullable Step otherwise(List<Stmt> statements, Scope home) {
        if (statements.isEmpty()) {
            return null;
        }
        Scope scope = home.inner();
        new NameScan(scope).statements(statements);
        Step body = new StatementCompiler(scope, inLoop).compile(statements);
        return Sequence.of(List.of(scope.entry(), body));
    }

    /** Lets those items through that the loop's condition holds for, when they are asked for. */
    private static @Nullable BiFunction<Iterator<Object>, Frame, Iterator<Object>> selection(
            Stmt.Loop loop, Scope home) {
        Expr condition = loop.condition();
        if (condition == null) {
            return null;
        }
        Scope scope = home.inner();
        var scan = new NameScan(scope);
        scan.parameters(loop.target());
        scan.expression(condition);
        Assignment target = new TargetCompiler(scope).compile(loop.target());
        Code test = new ExpressionCompiler(scope).compile(condition);
        Step entry = scope.entry();
        return (items, frame) -> {
            entry.run(frame);
            return new SelectedItems(items, item -> {
                frame.render().charge(1);
                target.assign(frame, item);
                return Truth.of(test.eval(frame));
            });
        };
    }

    private record Body(Assignment target, Slot context, Step entry, Step statements) {}

    /** A compiled loop. */
    private record Turns(
            @Nullable BiFunction<Iterator<Object>, Frame, Iterator<Object>> selection,
            Body body,
            @Nullable Step otherwise) {
        /** The else branch also comes after turns none of which got to the end of the body: so it does in jinja2. */
        Flow run(Object items, Frame frame, @Nullable UnaryOperator<Object> recursion, int depth) {
            Iterator<Object> all = Iteration.over(items);
            Iterator<Object> selected = selection == null ? all : selection.apply(all, frame);
            int length = selection == null ? Iteration.lengthOrMinusOne(items) : -1;
            var context = new LoopContext(selected, length, depth, recursion);
            boolean none = true;
            while (context.hasNext()) {
                Flow flow = turn(context, frame);
                none &= flow != Flow.NEXT;
                if (flow == Flow.BREAK) {
                    break;
                }
            }
            return none && otherwise != null ? otherwise.run(frame) : Flow.NEXT;
        }

        private Flow turn(LoopContext context, Frame frame) {
            frame.render().charge(1);
            frame.set(body.context().index(), context);
            body.target().assign(frame, context.next());
            body.entry().run(frame);
            return body.statements().run(frame);
        }
    }

    /** A recursive loop: each level has a frame of its own, and its output is a value. */
    private record Recursion(Turns turns, Slot.Activation activation) {
        String render(Object items, Frame outer, int depth) {
            outer.render().enterCall();
            var frame = new Frame(outer.render(), outer, activation.size());
            turns.run(items, frame, inner -> render(inner, outer, depth + 1), depth);
            outer.render().leaveCall();
            return frame.written();
        }
    }
}
