package io.kvrouter.http.openai;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/**
 * An error of the router's own, in the shape that OpenAI clients understand.
 *
 * @param reason machine-readable cause, the value of {@code x-router-reason} and of the error's {@code code}
 * @param param the field that is wrong, if one is
 * @param retry what the client may do
 */
public record ApiError(int status, String message, String type, String reason, Optional<String> param, Retry retry) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INVALID = "invalid_request_error";
    private static final int NO_SERVICE = 503;
    private static final String UNAVAILABLE = "service_unavailable";

    /** Whether the same request may succeed later. */
    public enum Retry {
        /** Retrying is wasted. */
        NEVER,
        /** Retry after a second. */
        SOON,
        /** The client's own rules. */
        UNSAID
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

    /** A trusted caller named a worker that can't take the request. */
    public static ApiError overrideNotEligible() {
        return refused(400, "worker_not_eligible", "The worker of x-router-worker can't take this request.");
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

    public static ApiError allBusy() {
        return new ApiError(
                429, "All workers are busy.", "rate_limit_error", "all_workers_busy", Optional.empty(), Retry.SOON);
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

    /** The error object, as the body of a response or the data of a server-sent event. */
    public String json() {
        ObjectNode root = JSON.createObjectNode();
        ObjectNode error = root.putObject("error");
        error.put("message", message).put("type", type);
        param.ifPresentOrElse(p -> error.put("param", p), () -> error.putNull("param"));
        error.put("code", reason);
        return root.toString();
    }

    public HttpResponse response() {
        List<HttpHeader> headers = new ArrayList<>();
        headers.add(RawHeader.create("x-router-reason", reason));
        switch (retry) {
            case NEVER -> headers.add(RawHeader.create("x-should-retry", "false"));
            case SOON, UNSAID -> {}
        }
        if (retry == Retry.SOON || status == NO_SERVICE) { // a 503 always says when, also to clients that won't
            headers.add(RawHeader.create("Retry-After", "1"));
        }
        return HttpResponse.create()
                .withStatus(StatusCodes.get(status))
                .withEntity(ContentTypes.APPLICATION_JSON, json())
                .withHeaders(headers);
    }
}
