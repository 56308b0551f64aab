package io.kvrouter.selection;

import io.kvrouter.load.slice.WorkerLoad;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Above which load a worker takes no unbound request. Unset = no bound.
 *
 * @param prefillTokens active prefill tokens
 * @param decodeFraction active decode blocks, as a fraction of the KV capacity; not applied where that is unknown
 * @param requests requests in flight
 */
public record BusyThresholds(OptionalLong prefillTokens, OptionalDouble decodeFraction, OptionalLong requests) {
    /** No worker is ever busy. */
    public static final BusyThresholds NONE =
            new BusyThresholds(OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.empty());

    public BusyThresholds {
        if (prefillTokens.orElse(0) < 0 || requests.orElse(0) < 0 || !(decodeFraction.orElse(0) >= 0)) {
            throw new IllegalArgumentException("busy thresholds: " + prefillTokens + ", " + decodeFraction + ", "
                    + requests + " (expected: >= 0)");
        }
    }

    /**
     * Whether a worker with this load is busy.
     *
     * @param capacity KV blocks of the worker, 0 if unknown
     */
    public boolean exceededBy(WorkerLoad load, long capacity) {
        return load.prefillTokens() > prefillTokens.orElse(Long.MAX_VALUE)
                || load.requests() > requests.orElse(Long.MAX_VALUE)
                || (capacity > 0 && load.decodeBlocks() > decodeFraction.orElse(Double.POSITIVE_INFINITY) * capacity);
    }
}
