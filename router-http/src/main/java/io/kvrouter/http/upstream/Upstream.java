package io.kvrouter.http.upstream;

/** Forwards requests to workers. It never looks into them, chooses nothing and repeats nothing that a worker saw. */
@FunctionalInterface
public interface Upstream {
    /** Starts a call at once. It holds a connection until its body has ended, or it is aborted. */
    Call call(UpstreamRequest request);
}
