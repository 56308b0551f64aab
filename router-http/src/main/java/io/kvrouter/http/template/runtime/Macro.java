package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.runtime.Slot.Activation;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyFunction;
import io.kvrouter.http.template.value.PyObject;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.Undefined;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A macro, or the body of a call block, with the frame that it was defined in. */
public record Macro(Definition definition, Frame definedIn) implements PyFunction, PyObject {
    private static final String CALLER = "caller";

    /**
     * What a macro is, wherever it is called.
     *
     * @param optional the defaults of the last parameters
     */
    public record Definition(
            @Nullable String name,
            List<String> parameters,
            List<Slot> slots,
            List<Code> optional,
            Body body,
            Specials specials) {}

    /** What a call runs: the entry of its scope, then its statements. */
    public record Body(Activation activation, Step entry, Step statements) {}

    /** Names that every macro has without a parameter for them; null where the macro has a parameter so called. */
    public record Specials(
            @Nullable Slot caller,
            @Nullable Slot kwargs,
            @Nullable Slot varargs) {
        private static boolean isUsed(@Nullable Slot slot) {
            return slot != null && slot.isRead();
        }
    }

    @Override
    public String call(Arguments arguments) {
        Render render = definedIn.render();
        render.enterCall();
        var frame = new Frame(render, definedIn, definition.body().activation().size());
        definition.body().entry().run(frame);
        bind(frame, arguments);
        fillDefaults(frame);
        definition.body().statements().run(frame);
        render.leaveCall();
        return frame.written();
    }

    private void bind(Frame frame, Arguments arguments) {
        List<String> parameters = definition.parameters();
        List<Object> given = arguments.positional();
        Map<String, Object> named = new HashMap<>(arguments.named());
        for (int i = 0; i < parameters.size(); i++) {
            Object value = i < given.size() ? given.get(i) : named.remove(parameters.get(i));
            frame.set(definition.slots().get(i).index(), value == null ? Frame.MISSING : value);
        }
        Specials specials = definition.specials();
        if (Specials.isUsed(specials.caller())) {
            Object caller = named.remove(CALLER);
            set(
                    frame,
                    specials.caller(),
                    caller == null || caller == None.NONE ? Undefined.because("No caller defined") : caller);
        }
        bindRest(frame, named, given.subList(Math.min(parameters.size(), given.size()), given.size()));
    }

    private void bindRest(Frame frame, Map<String, Object> named, List<Object> rest) {
        Specials specials = definition.specials();
        if (Specials.isUsed(specials.kwargs())) {
            var kwargs = new PyDict();
            named.forEach(kwargs::put);
            set(frame, specials.kwargs(), kwargs);
        } else if (!named.isEmpty()) {
            throw PythonError.type(
                    named.containsKey(CALLER)
                            ? "macro '" + definition.name()
                                    + "' was invoked with two values for the special caller argument."
                                    + " This is most likely a bug."
                            : "macro '" + definition.name() + "' takes no keyword argument '"
                                    + named.keySet().iterator().next() + "'");
        }
        if (Specials.isUsed(specials.varargs())) {
            set(frame, specials.varargs(), new PyTuple(rest));
        } else if (!rest.isEmpty()) {
            throw PythonError.type("macro '" + definition.name() + "' takes not more than "
                    + definition.parameters().size() + " argument(s)");
        }
    }

    private static void set(Frame frame, @Nullable Slot slot, Object value) {
        if (slot != null) {
            frame.set(slot.index(), value);
        }
    }

    private void fillDefaults(Frame frame) {
        int first = definition.parameters().size() - definition.optional().size();
        for (int i = 0; i < definition.parameters().size(); i++) {
            int index = definition.slots().get(i).index();
            if (Frame.isMissing(frame.get(index))) {
                frame.set(
                        index,
                        i < first
                                ? Undefined.because(
                                        "parameter '" + definition.parameters().get(i) + "' was not provided")
                                : definition.optional().get(i - first).eval(frame));
            }
        }
    }

    @Override
    public String typeName() {
        return "Macro";
    }

    @Override
    public @Nullable Object attribute(String name) {
        return switch (name) {
            case "name" -> definition.name() == null ? None.NONE : definition.name();
            case "arguments" -> new PyTuple(List.copyOf(definition.parameters()));
            default -> null;
        };
    }

    @Override
    public String repr() {
        return definition.name() == null ? "<Macro anonymous>" : "<Macro '" + definition.name() + "'>";
    }
}
