package io.kvrouter.http.template.value;

import org.jspecify.annotations.Nullable;

/**
 * What a name, attribute or item is that does not exist. It prints as nothing, is false, empty and equal to any other
 * undefined value; every other use of it is an error, and only then is the message made.
 */
public final class Undefined {
    private final ErrorKind kind;
    private final @Nullable String hint;
    private final @Nullable Object owner;
    private final Object name;

    private Undefined(ErrorKind kind, @Nullable String hint, @Nullable Object owner, Object name) {
        this.kind = kind;
        this.hint = hint;
        this.owner = owner;
        this.name = name;
    }

    /** A variable that is not set. */
    public static Undefined variable(String name) {
        return new Undefined(ErrorKind.UNDEFINED, null, null, name);
    }

    /** An attribute (its name a string) or item that {@code owner} lacks. */
    public static Undefined member(Object owner, Object name) {
        return new Undefined(ErrorKind.UNDEFINED, null, owner, name);
    }

    /** Nothing, for a reason of its own. */
    public static Undefined because(String hint) {
        return new Undefined(ErrorKind.UNDEFINED, hint, null, hint);
    }

    /** An attribute that exists, but that a template may not have. */
    public static Undefined unsafe(Object owner, String name) {
        String hint = "access to attribute '" + name + "' of '" + TypeName.of(owner) + "' object is unsafe.";
        return new Undefined(ErrorKind.SECURITY, hint, owner, name);
    }

    /** The error for a use that is not allowed. */
    public PythonError error() {
        return new PythonError(kind, message());
    }

    private String message() {
        if (hint != null) {
            return hint;
        }
        if (owner == null) {
            return "'" + name + "' is undefined";
        }
        String repr = owner == None.NONE ? "None" : TypeName.of(owner) + " object";
        return name instanceof String
                ? "'" + repr + "' has no attribute '" + name + "'"
                : repr + " has no such element";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Undefined;
    }

    @Override
    public int hashCode() {
        return Undefined.class.hashCode();
    }
}
