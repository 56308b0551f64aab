package io.kvrouter.http.node;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Whether a node takes requests, and what stands against it. */
final class Readiness implements BooleanSupplier {
    private volatile Supplier<Optional<String>> obstacle = () -> Optional.of("it starts");

    /** From now on this decides: empty while the node takes requests, else in words why not. */
    void becomes(Supplier<Optional<String>> changed) {
        obstacle = changed;
    }

    /** A step of the start, and what stands against the node until the next one. */
    <A, B> Function<A, CompletionStage<B>> waiting(String why, Function<A, CompletionStage<B>> step) {
        return before -> {
            becomes(() -> Optional.of(why));
            return step.apply(before);
        };
    }

    /** What stands against it, in words for the operator; empty if it takes requests. */
    Optional<String> obstacle() {
        return obstacle.get();
    }

    @Override
    public boolean getAsBoolean() {
        return obstacle().isEmpty();
    }
}
