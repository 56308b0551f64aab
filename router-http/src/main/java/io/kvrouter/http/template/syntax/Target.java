package io.kvrouter.http.template.syntax;

import java.util.List;

/** What a value is assigned to. */
public sealed interface Target {
    record Variable(String name) implements Target {}

    /** {@code namespace.attribute}. */
    record Member(String namespace, String attribute) implements Target {}

    record Several(List<Target> targets) implements Target {}
}
