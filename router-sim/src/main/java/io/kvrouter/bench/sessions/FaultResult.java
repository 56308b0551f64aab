package io.kvrouter.bench.sessions;

import io.kvrouter.bench.sessions.load.Changes;

/**
 * What a fault did.
 *
 * @param node that was struck, or joined; empty for none
 * @param healedSeconds until every living node saw just the living ones and all shards had a home; NaN if it never was
 * @param silence of shards
 * @param changes of the sessions' workers
 * @param logs what the workers logged, of the sessions that were asked for at the end
 */
record FaultResult(Fault fault, String node, double healedSeconds, Silence silence, Changes changes, Logs logs) {
    /**
     * Shards whose actors were not heard by some node.
     *
     * @param fromSeconds after the fault, when the first was missed
     * @param untilSeconds after the fault, when all had answered again
     * @param most shards that one node missed at once
     */
    record Silence(double fromSeconds, double untilSeconds, int most) {
        static final Silence NONE = new Silence(0, 0, 0);

        Silence seen(double seconds, int shards) {
            if (shards == 0) {
                return this;
            }
            return new Silence(most == 0 ? seconds : fromSeconds, seconds, Math.max(most, shards));
        }
    }

    /** Turns in the workers' own logs, and those of them that were not where the client's memory has their session. */
    record Logs(long turns, long contradictions) {}
}
