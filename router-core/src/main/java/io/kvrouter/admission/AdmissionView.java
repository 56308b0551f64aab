package io.kvrouter.admission;

/**
 * Admission at one moment, for people and metrics.
 *
 * @param inside requests that hold a permit: their bodies are read, or they run
 * @param door how many may be inside for another one to be let in; {@link AdmissionSettings#UNBOUNDED} = any number
 * @param waitingAtDoor requests that wait with their bodies unread
 * @param waitingForWorker requests whose bodies are read, and whose workers are full
 * @param longestWaitMs of those that wait
 * @param drainPerSecond permits that come free in a second, by how long requests hold them
 */
public record AdmissionView(
        int inside,
        int door,
        int waitingAtDoor,
        int waitingForWorker,
        long longestWaitMs,
        double drainPerSecond,
        Counts counts) {
    /** Nothing has come so far. */
    public static final AdmissionView NONE =
            new AdmissionView(0, AdmissionSettings.UNBOUNDED, 0, 0, 0, 0, new Counts(0, 0, 0, 0, 0));

    /**
     * What happened since the start.
     *
     * @param waited requests that went on after a wait
     * @param waitedMs how long they had waited, together
     * @param queueFull sent away at once
     * @param deadline sent away after their wait
     * @param left gone while they waited
     */
    public record Counts(long waited, long waitedMs, long queueFull, long deadline, long left) {
        Counts afterWait(long ms) {
            return new Counts(waited + 1, waitedMs + ms, queueFull, deadline, left);
        }

        Counts and(Shed.Why why) {
            return switch (why) {
                case QUEUE_FULL -> new Counts(waited, waitedMs, queueFull + 1, deadline, left);
                case DEADLINE -> new Counts(waited, waitedMs, queueFull, deadline + 1, left);
                case LEFT -> new Counts(waited, waitedMs, queueFull, deadline, left + 1);
            };
        }

        /** How many of them were sent away for this. */
        public long of(Shed.Why why) {
            return switch (why) {
                case QUEUE_FULL -> queueFull;
                case DEADLINE -> deadline;
                case LEFT -> left;
            };
        }
    }
}
