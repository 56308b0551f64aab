package io.kvrouter.http.upstream;

/** Why a call has no answer, or only the beginning of one. The list is closed: callers switch over it. */
public enum UpstreamFailure {
    /** Nobody listens at the worker's address: it has seen nothing. */
    CONNECT_REFUSED,
    /** No connection in time, no route, no such host, or no TLS: the worker has seen nothing. */
    CONNECT_FAILED,
    /** The connection ended before the head of the answer was complete; the worker may have begun to work. */
    RESET_BEFORE_HEAD,
    /** No head within the time to first byte. */
    FIRST_BYTE_TIMEOUT,
    /** The answer is not HTTP/1.1 as it should be, or goes on after its end. */
    BAD_RESPONSE,
    /** The connection ended in the middle of the body. */
    TRUNCATED,
    /** Silence in the middle of the body for longer than allowed. */
    IDLE_TIMEOUT,
    /** It took longer in all than allowed. */
    TOTAL_TIMEOUT,
    /** The caller has aborted it. */
    ABORTED;

    /** Whether the worker can't have seen the request. */
    public boolean beforeSending() {
        return this == CONNECT_REFUSED || this == CONNECT_FAILED;
    }
}
