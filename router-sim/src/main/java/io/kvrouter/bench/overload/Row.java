package io.kvrouter.bench.overload;

import java.util.Map;

/**
 * One load, with admission or without.
 *
 * @param factor offered, in multiples of the capacity
 * @param recoveryS after the last request was sent or given up, until one took no longer than on an idle node
 */
public record Row(boolean admission, double factor, Load load, double recoveryS) {

    /**
     * What clients got.
     *
     * @param offered requests a second
     * @param goodput good answers a second, in time
     * @param p50Ms of them, from when they were due
     * @param p99Ms of them
     * @param others what the other requests got
     */
    public record Load(
            double offered, double goodput, double p50Ms, double p99Ms, Map<String, Integer> others, Peak peak) {}

    /**
     * The most at a time.
     *
     * @param onWorker requests that one engine had
     * @param nodeMb memory of the node's process
     */
    public record Peak(int onWorker, double nodeMb) {}
}
