package io.kvrouter.http.template.program;

import io.kvrouter.http.template.runtime.Frame;
import io.kvrouter.http.template.runtime.Globals;
import io.kvrouter.http.template.runtime.Render;
import io.kvrouter.http.template.runtime.Step;
import io.kvrouter.http.template.syntax.StatementParser;
import io.kvrouter.http.template.syntax.Stmt;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A compiled template. It is immutable, and may be rendered by many threads at once. */
public final class Program {
    /** Filters that make markup; their names also stand as arguments of {@code map}. */
    private static final Pattern MARKUP = Pattern.compile("[|'\"]\\s*(?:safe|e|escape|forceescape)\\b");

    private final List<Stmt> syntax;
    private final boolean markup;
    private final Scope scope;
    private final Step entry;
    private final Step body;

    private Program(List<Stmt> syntax, boolean markup) {
        this.syntax = syntax;
        this.markup = markup;
        this.scope = Scope.root();
        new NameScan(scope).statements(syntax);
        this.body = new StatementCompiler(scope, false).compile(syntax);
        this.entry = scope.entry();
    }

    /**
     * Compiles a template.
     *
     * @throws io.kvrouter.http.template.syntax.TemplateSyntaxException if it is none
     */
    public static Program compile(String template) {
        return new Program(
                StatementParser.parse(template), MARKUP.matcher(template).find());
    }

    /** What the template was read as. */
    public List<Stmt> syntax() {
        return syntax;
    }

    /**
     * Renders the template.
     *
     * @param now asked when the template asks for the time
     * @throws RenderException if the template raises an error or exceeds a limit
     */
    public String render(Map<String, Object> variables, Supplier<LocalDateTime> now) {
        Map<String, Object> all = Globals.table(now);
        all.putAll(variables);
        var render = new Render(all, markup);
        var frame = new Frame(render, null, scope.activation().size());
        try {
            entry.run(frame);
            body.run(frame);
            return frame.written();
        } catch (PythonError e) {
            throw new RenderException(e, render.line());
        } catch (StackOverflowError e) {
            throw new RenderException(
                    new PythonError(ErrorKind.RECURSION, "calls and values nested too deeply"), render.line());
        }
    }
}
