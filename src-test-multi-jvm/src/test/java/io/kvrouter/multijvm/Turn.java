package io.kvrouter.multijvm;

/**
 * One turn as its client saw it.
 *
 * @param requestId by which the worker's own log has it too
 * @param headMs from the request to the head of the answer
 */
record Turn(String session, String requestId, String worker, String decision, long headMs) {
    boolean pinned() {
        return decision.equals("pinned");
    }
}
