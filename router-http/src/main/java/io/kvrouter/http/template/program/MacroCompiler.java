package io.kvrouter.http.template.program;

import io.kvrouter.http.template.runtime.Code;
import io.kvrouter.http.template.runtime.Macro;
import io.kvrouter.http.template.runtime.Slot;
import io.kvrouter.http.template.runtime.Step;
import io.kvrouter.http.template.syntax.Stmt;
import io.kvrouter.http.template.syntax.TemplateSyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Macros and the bodies of call blocks to definitions. */
final class MacroCompiler {
    private final Scope outer;

    MacroCompiler(Scope outer) {
        this.outer = outer;
    }

    Macro.Definition compile(@Nullable String name, Stmt.Signature signature, List<Stmt> statements, int line) {
        refuseCallerWithoutDefault(signature, line);
        Scope scope = outer.function();
        List<Slot> slots = signature.parameters().stream().map(scope::parameter).toList();
        var specials = new Macro.Specials(
                special(scope, signature, "caller"),
                special(scope, signature, "kwargs"),
                special(scope, signature, "varargs"));
        var scan = new NameScan(scope);
        scan.expressions(signature.defaults());
        scan.statements(statements);
        var expressions = new ExpressionCompiler(scope);
        List<Code> defaults = List.of(expressions.compile(signature.defaults()));
        Step body = new StatementCompiler(scope, false).compile(statements);
        return new Macro.Definition(
                name,
                signature.parameters(),
                slots,
                defaults,
                new Macro.Body(scope.activation(), scope.entry(), body),
                specials);
    }

    private static void refuseCallerWithoutDefault(Stmt.Signature signature, int line) {
        int at = signature.parameters().indexOf("caller");
        if (at >= 0 && at < signature.parameters().size() - signature.defaults().size()) {
            throw new TemplateSyntaxException(
                    "When defining macros or call blocks the special \"caller\" argument must be omitted or be given a"
                            + " default.",
                    line);
        }
    }

    private static @Nullable Slot special(Scope scope, Stmt.Signature signature, String name) {
        return signature.parameters().contains(name) ? null : scope.parameter(name);
    }
}
