package io.kvrouter.http.template;

import io.kvrouter.http.template.syntax.Expr;
import io.kvrouter.http.template.syntax.Stmt;
import io.kvrouter.http.template.syntax.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In which form a template wants a message's content. The template's syntax tells, by the rule that vLLM goes by: one
 * that loops over a message's content gets a list of parts, any other gets a text.
 */
enum ContentFormat {
    /** One text: the texts of all parts, with newlines between. */
    TEXT,
    /** A list of parts, even for a plain text. */
    PARTS;

    static ContentFormat of(List<Stmt> template) {
        return new Detection(template).loopsOverContent() ? PARTS : TEXT;
    }

    /** Follows {@code messages} through assignments and loops to what a message is called, then to its content. */
    private static final class Detection {
        private final List<Stmt.Set> assignments = new ArrayList<>();
        private final List<Stmt.Loop> loops = new ArrayList<>();

        Detection(List<Stmt> template) {
            collect(template);
        }

        private void collect(List<? extends Stmt> statements) {
            statements.forEach(this::collect);
        }

        private void collect(Stmt statement) {
            switch (statement) {
                case Stmt.Set set -> assignments.add(set);
                case Stmt.For loop -> {
                    loops.add(loop.loop());
                    collect(loop.body());
                    collect(loop.otherwise());
                }
                case Stmt.If conditional -> {
                    collect(conditional.body());
                    collect(conditional.otherIfs());
                    collect(conditional.otherwise());
                }
                case Stmt.SetBlock set -> collect(set.body());
                case Stmt.Macro macro -> collect(macro.body());
                case Stmt.CallBlock call -> collect(call.body());
                case Stmt.Generation generation -> collect(generation.body());
                case Stmt.FilterBlock filter -> collect(filter.body());
                case Stmt.With with -> collect(with.body());
                default -> {}
            }
        }

        boolean loopsOverContent() {
            Set<String> lists = aliases("messages");
            Set<String> messages = new HashSet<>();
            for (Stmt.Loop loop : loops) {
                if (loop.target() instanceof Target.Variable variable && reads(loop.items(), lists, null)) {
                    messages.add(variable.name());
                }
            }
            return loops.stream().anyMatch(loop -> reads(loop.items(), messages, "content"));
        }

        /** The names that a variable, or a part of it, is assigned to. */
        private Set<String> aliases(String name) {
            Set<String> names = new HashSet<>(Set.of(name));
            Deque<String> open = new ArrayDeque<>(names);
            while (!open.isEmpty()) {
                Set<String> source = Set.of(open.remove());
                for (Stmt.Set set : assignments) {
                    boolean alias = set.target() instanceof Target.Variable && reads(set.value(), source, null);
                    if (alias && set.target() instanceof Target.Variable variable && names.add(variable.name())) {
                        open.add(variable.name());
                    }
                }
            }
            return names;
        }

        /** Whether an expression is one of the names, or its member; through filters, tests and slices. */
        private static boolean reads(@Nullable Expr expression, Set<String> names, @Nullable String member) {
            return switch (expression) {
                case Expr.Filter filter -> reads(filter.input(), names, member);
                case Expr.Test test -> reads(test.input(), names, member);
                case Expr.Slice slice -> reads(slice.owner(), names, member);
                case Expr.Attribute attribute -> attribute.name().equals(member) && isOneOf(attribute.owner(), names);
                case Expr.Item item ->
                    item.key() instanceof Expr.Const key && key.value().equals(member) && isOneOf(item.owner(), names);
                case null -> false;
                default -> member == null && isOneOf(expression, names);
            };
        }

        private static boolean isOneOf(Expr expression, Set<String> names) {
            return expression instanceof Expr.Name name && names.contains(name.name());
        }
    }
}
