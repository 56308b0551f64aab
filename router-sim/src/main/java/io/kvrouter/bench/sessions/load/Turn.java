package io.kvrouter.bench.sessions.load;

/**
 * One turn to send.
 *
 * @param session its place in the book
 * @param dueNanos when it was to be sent: what it waited for before counts as latency
 * @param atEnd runs when it was answered or has failed
 */
record Turn(int session, long dueNanos, Runnable atEnd) {}
