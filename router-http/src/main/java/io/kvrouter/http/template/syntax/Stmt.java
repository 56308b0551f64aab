package io.kvrouter.http.template.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a template; {@code line} is where it starts. */
public sealed interface Stmt {
    int line();

    /** Text that is written as it is. */
    record Text(String text, int line) implements Stmt {}

    /** {@code {{ value }}}. */
    record Print(Expr value, int line) implements Stmt {}

    /** {@code otherIfs} are the {@code elif}s: each without branches of its own. */
    record If(Expr condition, List<Stmt> body, List<If> otherIfs, List<Stmt> otherwise, int line) implements Stmt {}

    record For(Loop loop, List<Stmt> body, List<Stmt> otherwise, int line) implements Stmt {}

    /** The head of a {@code for}. */
    record Loop(Target target, Expr items, @Nullable Expr condition, boolean recursive) {}

    record Break(int line) implements Stmt {}

    record Continue(int line) implements Stmt {}

    record Set(Target target, Expr value, int line) implements Stmt {}

    /** {@code {% set target %}body{% endset %}}, through a filter where one is given. */
    record SetBlock(Target target, Expr.@Nullable Filter filter, List<Stmt> body, int line) implements Stmt {}

    record Macro(String name, Signature signature, List<Stmt> body, int line) implements Stmt {}

    /** {@code {% call(parameters) callee(...) %}body{% endcall %}}. */
    record CallBlock(Signature signature, Expr.Call call, List<Stmt> body, int line) implements Stmt {}

    /** {@code {% generation %}}: marks what the model wrote. Its body is a scope of its own. */
    record Generation(List<Stmt> body, int line) implements Stmt {}

    record FilterBlock(Expr.Filter filter, List<Stmt> body, int line) implements Stmt {}

    record With(List<Target> targets, List<Expr> values, List<Stmt> body, int line) implements Stmt {}

    /** Parameters; the last ones have the defaults. */
    record Signature(List<String> parameters, List<Expr> defaults) {
        public static final Signature NONE = new Signature(List.of(), List.of());
    }
}
