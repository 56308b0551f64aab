package io.kvrouter.http.openai;

import java.util.Optional;
import java.util.OptionalInt;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * An error of the router's own, in OpenAI's words; {@link Dialect} says it to clients of other protocols.
 *
 * @param reason machine-readable cause, the value of {@code x-router-reason} and of the error's {@code code}
 * @param param the field that is wrong, if one is
 * @param retry what the client may do
 */
public record ApiError(int status, String message, String type, String reason, Optional<String> param, Retry retry) {
    private static final String INVALID = "invalid_request_error";
    static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NO_SERVICE = 503;
    private static final String UNAVAILABLE = "service_unavailable";

    /**
     * Whether the same request may succeed later.
     *
     * @param useful false = retrying is wasted
     * @param seconds when; 0 = by the client's own rules
     */
    public record Retry(boolean useful, int seconds) {
        static final Retry NEVER = new Retry(false, 0);
        static final Retry SOON = after(1);
        static final Retry UNSAID = new Retry(true, 0);

        static Retry after(int seconds) {
            return new Retry(true, seconds);
        }
    }

    public static ApiError badRequest(String message) {
        return new ApiError(400, message, INVALID, "bad_request", Optional.empty(), Retry.NEVER);
    }

    public static ApiError badRequest(String message, String param) {
        return new ApiError(400, message, INVALID, "bad_request", Optional.of(param), Retry.NEVER);
    }

    /** An error that is the client's, with a reason of its own. */
    public static ApiError refused(int status, String reason, String message) {
        return new ApiError(status, message, INVALID, reason, Optional.empty(), Retry.NEVER);
    }

    /** No key, a wrong one, or one that was revoked: which of them is nobody's business. */
    public static ApiError unauthorized() {
        return refused(UNAUTHORIZED, "invalid_api_key", "A valid key is needed, as 'Authorization: Bearer KEY'.");
    }

    /** Only trusted callers may do this. */
    public static ApiError notTrusted(String message) {
        return refused(FORBIDDEN, "not_trusted", message);
    }

    public static ApiError modelNotAllowed() {
        return new ApiError(
                FORBIDDEN,
                "This key is not for this model.",
                INVALID,
                "model_not_allowed",
                Optional.of("model"),
                Retry.NEVER);
    }

    public static ApiError groupNotAllowed() {
        return refused(FORBIDDEN, "group_not_allowed", "This key is not for this routing group.");
    }

    /** A trusted caller named a worker that can't take the request. */
    public static ApiError overrideNotEligible() {
        return refused(400, "worker_not_eligible", "The worker of x-router-worker can't take this request.");
    }

    /** A caller of the selection API named a worker, or a rank of it, that can't take the request. */
    public static ApiError namedNotEligible() {
        String message = "The worker and rank that the field 'worker_id' names can't take this request.";
        return new ApiError(400, message, INVALID, "worker_not_eligible", Optional.of("worker_id"), Retry.NEVER);
    }

    /** The session's actor does not answer: its node died, and its shard has no new home yet. */
    public static ApiError sessionSilent() {
        return new ApiError(
                NO_SERVICE,
                "The session's node does not answer.",
                UNAVAILABLE,
                "session_silent",
                Optional.empty(),
                Retry.SOON);
    }

    /** Another node holds what was asked for, and does not answer. */
    public static ApiError ownerSilent() {
        return new ApiError(
                NO_SERVICE,
                "The node of this reservation does not answer.",
                UNAVAILABLE,
                "owner_silent",
                Optional.empty(),
                Retry.SOON);
    }

    public static ApiError noWorker() {
        return new ApiError(
                503,
                "No worker can take this request.",
                UNAVAILABLE,
                "no_eligible_worker",
                Optional.empty(),
                Retry.SOON);
    }

    /** As {@link #noWorker}, but waiting will not help: no registered worker serves the model, up or down. */
    public static ApiError modelNotServed() {
        return new ApiError(
                503,
                "No worker serves this model.",
                UNAVAILABLE,
                "model_not_served",
                Optional.of("model"),
                Retry.NEVER);
    }

    /** {@code GET /v1/models/{id}} of what no worker serves. */
    public static ApiError noSuchModel() {
        return new ApiError(
                404, "There is no such model.", INVALID, "model_not_found", Optional.of("model"), Retry.NEVER);
    }

    /** A connection beyond what the node serves at once. */
    public static ApiError tooManyConnections() {
        return new ApiError(
                NO_SERVICE, "Too many connections.", UNAVAILABLE, "too_many_connections", Optional.empty(), Retry.SOON);
    }

    public static ApiError allBusy() {
        return new ApiError(
                429, "All workers are busy.", "rate_limit_error", "all_workers_busy", Optional.empty(), Retry.SOON);
    }

    /** Every worker that may take the request has as many as it may, and no more may wait. */
    public static ApiError atCapacity(int retryAfterSeconds) {
        return new ApiError(
                429,
                "All workers have as many requests as they may.",
                "rate_limit_error",
                "at_capacity",
                Optional.empty(),
                Retry.after(retryAfterSeconds));
    }

    /** The request has waited for a worker as long as it may. */
    public static ApiError waitedTooLong(int retryAfterSeconds) {
        return new ApiError(
                NO_SERVICE,
                "No worker had room for this request in time.",
                UNAVAILABLE,
                "queue_timeout",
                Optional.empty(),
                Retry.after(retryAfterSeconds));
    }

    /** The caller has as many requests in flight as it may, in the whole cluster. */
    public static ApiError callerBusy() {
        return new ApiError(
                429,
                "This key has as many requests under way as it may.",
                "rate_limit_error",
                "caller_busy",
                Optional.empty(),
                Retry.SOON);
    }

    /** The caller has used its tokens of a minute, in the whole cluster. */
    public static ApiError callerTokensSpent(int retryAfterSeconds) {
        return new ApiError(
                429,
                "This key has used as many tokens in a minute as it may.",
                "rate_limit_error",
                "caller_tokens_spent",
                Optional.empty(),
                Retry.after(retryAfterSeconds));
    }

    /** Mode {@code hard}: the session waits for its worker. */
    public static ApiError sessionWorkerBusy() {
        return new ApiError(
                429,
                "The session's worker is busy.",
                "rate_limit_error",
                "session_worker_busy",
                Optional.empty(),
                Retry.SOON);
    }

    /** The operator's wish lives on: it is heard when its session's shard has a home again. */
    public static ApiError sessionNotHeard() {
        return new ApiError(
                503,
                "The session's actor was not heard yet. It ends the session when it hears of this.",
                UNAVAILABLE,
                "session_not_heard",
                Optional.empty(),
                Retry.SOON);
    }

    public static ApiError connectFailed() {
        return new ApiError(
                502, "No worker could be reached.", UNAVAILABLE, "connect_failed", Optional.empty(), Retry.SOON);
    }

    /** The worker's answer can't be passed on. */
    public static ApiError badGateway(String reason) {
        return new ApiError(502, "The worker's answer broke off.", UNAVAILABLE, reason, Optional.empty(), Retry.UNSAID);
    }

    public static ApiError internal() {
        return new ApiError(
                500, "The router failed.", "server_error", "internal_error", Optional.empty(), Retry.UNSAID);
    }

    /** The error object in OpenAI's shape. */
    public String json() {
        return Dialect.OPENAI.json(this);
    }

    /** The answer in OpenAI's shape. */
    public HttpResponse response() {
        return Dialect.OPENAI.response(this);
    }

    /** In how many seconds to come back, as the answer says it: a 503 always does, also to clients that won't. */
    OptionalInt retryAfter() {
        int seconds = status == NO_SERVICE ? Math.max(1, retry.seconds()) : retry.seconds();
        return seconds == 0 ? OptionalInt.empty() : OptionalInt.of(seconds);
    }
}
