package io.kvrouter.selection;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A rule by which one of the eligible workers is chosen. */
public enum Policy {
    /** The least cost by {@link CostFunction}: overlap and load in one number. */
    KV,
    /** The fewest requests in flight, among equals the fewest prefill tokens. */
    LEAST_LOAD,
    /** The less loaded of two at random. */
    POWER_OF_TWO,
    /** One after the other. */
    ROUND_ROBIN,
    /** Any, with equal probability. */
    RANDOM,
    /** Always the same for a session, else for a prompt's beginning; a worker that goes moves only its own share. */
    CONSISTENT_HASH;

    /**
     * The policy that a setting names.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Policy named(String name) {
        return Arrays.stream(values())
                .filter(policy -> policy.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("policy: \"" + name + "\" (expected one of: "
                        + Arrays.stream(values()).map(Policy::toString).collect(Collectors.joining(", ")) + ")"));
    }

    /** As settings spell it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
