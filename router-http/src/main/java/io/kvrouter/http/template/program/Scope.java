package io.kvrouter.http.template.program;

import io.kvrouter.http.template.runtime.Assignment;
import io.kvrouter.http.template.runtime.Code;
import io.kvrouter.http.template.runtime.Frame;
import io.kvrouter.http.template.runtime.Sequence;
import io.kvrouter.http.template.runtime.Slot;
import io.kvrouter.http.template.runtime.Slot.Activation;
import io.kvrouter.http.template.runtime.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of one scope, resolved when the template is compiled, by jinja2's rules. They differ from other languages':
 * a name that is read before anything is assigned to it starts with the outer value, or what the request says; a name
 * that is always assigned first starts unset; an assignment never reaches an outer scope.
 */
final class Scope {
    private final @Nullable Scope parent;
    private final Activation activation;
    /** One per name, in this scope and in its branches. */
    private final Map<String, Slot> slots;

    private final Map<String, Slot> refs = new HashMap<>();
    private final Map<String, Load> loads = new LinkedHashMap<>();
    private final Set<String> stores = new HashSet<>();

    /** What a name holds when the scope is entered. */
    private sealed interface Load {
        /** What the entry's caller puts there. */
        record Parameter() implements Load {}

        /** A variable of the request, or a global. */
        record Resolved() implements Load {}

        record Outer(Slot slot) implements Load {}

        record Unset() implements Load {}
    }

    private Scope(@Nullable Scope parent, Activation activation, Map<String, Slot> slots) {
        this.parent = parent;
        this.activation = activation;
        this.slots = slots;
    }

    static Scope root() {
        return new Scope(null, new Activation(0), new HashMap<>());
    }

    /** A scope in the same function. */
    Scope inner() {
        return new Scope(this, activation, new HashMap<>());
    }

    /** The scope of a function that is defined here. */
    Scope function() {
        return new Scope(this, new Activation(activation.depth() + 1), new HashMap<>());
    }

    Activation activation() {
        return activation;
    }

    /** A copy, to see what one branch does. */
    Scope branch() {
        var branch = new Scope(parent, activation, slots);
        branch.refs.putAll(refs);
        branch.loads.putAll(loads);
        branch.stores.addAll(stores);
        return branch;
    }

    /** Takes over what the branches do: a name that only they assign starts with its outer value. */
    void merge(List<Scope> branches) {
        Set<String> assigned = new HashSet<>();
        branches.forEach(branch -> assigned.addAll(branch.stores));
        assigned.removeAll(stores);
        for (Scope branch : branches) {
            refs.putAll(branch.refs);
            loads.putAll(branch.loads);
            stores.addAll(branch.stores);
        }
        for (String name : assigned) {
            Slot outer = parent == null ? null : parent.find(name);
            loads.put(name, outer == null ? new Load.Resolved() : new Load.Outer(outer));
        }
    }

    private @Nullable Slot find(String name) {
        Slot slot = refs.get(name);
        return slot != null || parent == null ? slot : parent.find(name);
    }

    /** A name is read. */
    void load(String name) {
        if (find(name) == null) {
            define(name, new Load.Resolved());
        }
    }

    /** A name is assigned. */
    void store(String name) {
        stores.add(name);
        if (!refs.containsKey(name)) {
            Slot outer = parent == null ? null : parent.find(name);
            define(name, outer == null ? new Load.Unset() : new Load.Outer(outer));
        }
    }

    Slot parameter(String name) {
        stores.add(name);
        return define(name, new Load.Parameter());
    }

    private Slot define(String name, Load load) {
        Slot slot = slots.computeIfAbsent(name, absent -> new Slot(activation));
        refs.put(name, slot);
        loads.put(name, load);
        return slot;
    }

    /** The place of a name that was loaded or stored before. */
    Slot slot(String name) {
        Slot slot = find(name);
        if (slot == null) {
            load(name);
            return slot(name);
        }
        return slot;
    }

    /** What has to be done when the scope is entered. */
    Step entry() {
        List<Step> steps = new ArrayList<>();
        loads.forEach((name, load) -> {
            Assignment to = slot(name).writer(activation);
            switch (load) {
                case Load.Parameter parameter -> {}
                case Load.Unset unset -> steps.add(frame -> put(to, frame, Frame.MISSING));
                case Load.Resolved resolved ->
                    steps.add(frame -> put(to, frame, frame.render().variable(name)));
                case Load.Outer outer -> {
                    Code from = outer.slot().reader(activation);
                    steps.add(frame -> put(to, frame, from.eval(frame)));
                }
            }
        });
        return Sequence.of(steps);
    }

    private static Step.Flow put(Assignment to, Frame frame, @Nullable Object value) {
        to.assign(frame, value == null ? Frame.MISSING : value);
        return Step.Flow.NEXT;
    }
}
