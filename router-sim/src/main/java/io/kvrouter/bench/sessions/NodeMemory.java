package io.kvrouter.bench.sessions;

/**
 * What a node takes with all sessions bound.
 *
 * @param emptyHeapBytes its heap after garbage collection before there was a session
 * @param heapBytes the same with all of them
 * @param residentBytes of its process
 */
record NodeMemory(String node, double emptyHeapBytes, double heapBytes, double residentBytes) {
    double heapPerSession(int sessions) {
        return heapBytes / sessions;
    }

    double addedPerSession(int sessions) {
        return (heapBytes - emptyHeapBytes) / sessions;
    }
}
