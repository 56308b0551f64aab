package io.kvrouter.http.template.program;

import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.runtime.Assignment;
import io.kvrouter.http.template.runtime.Code;
import io.kvrouter.http.template.runtime.Namespace;
import io.kvrouter.http.template.syntax.Target;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import java.util.List;

/** Targets to assignments. */
final class TargetCompiler {
    private final Scope scope;

    TargetCompiler(Scope scope) {
        this.scope = scope;
    }

    Assignment compile(Target target) {
        return switch (target) {
            case Target.Variable variable -> scope.slot(variable.name()).writer(scope.activation());
            case Target.Member member -> member(member);
            case Target.Several several -> several(several);
        };
    }

    private Assignment member(Target.Member member) {
        Code owner = scope.slot(member.namespace()).reader(scope.activation());
        return (frame, value) -> {
            if (!(owner.eval(frame) instanceof Namespace namespace)) {
                throw new PythonError(ErrorKind.RUNTIME, "cannot assign attribute on non-namespace object");
            }
            namespace.attributes().put(member.attribute(), value);
        };
    }

    private Assignment several(Target.Several several) {
        Assignment[] parts = several.targets().stream().map(this::compile).toArray(Assignment[]::new);
        return (frame, value) -> {
            if (!Iteration.isIterable(value)) {
                throw PythonError.type("cannot unpack non-iterable " + TypeName.of(value) + " object");
            }
            List<Object> values = Iteration.list(value);
            if (values.size() != parts.length) {
                throw PythonError.value((values.size() < parts.length ? "not enough" : "too many")
                        + " values to unpack (expected " + parts.length + ")");
            }
            for (int i = 0; i < parts.length; i++) {
                parts[i].assign(frame, values.get(i));
            }
        };
    }
}
