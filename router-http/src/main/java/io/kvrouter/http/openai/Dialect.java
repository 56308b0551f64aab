package io.kvrouter.http.openai;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.util.ByteString;

/** The shape in which a protocol's clients read errors of the router's own. Those of workers pass as they are. */
public enum Dialect {
    /** {@code {"error": {"message", "type", "param", "code"}}}. */
    OPENAI {
        @Override
        public String json(ApiError error) {
            ObjectNode root = JSON.createObjectNode();
            ObjectNode object = root.putObject("error");
            object.put("message", error.message()).put("type", error.type());
            error.param().ifPresentOrElse(p -> object.put("param", p), () -> object.putNull("param"));
            object.put("code", error.reason());
            return root.toString();
        }
    },

    /** {@code {"type": "error", "error": {"type", "message"}}}, its type by the status. */
    ANTHROPIC {
        @Override
        public String json(ApiError error) {
            ObjectNode root = JSON.createObjectNode().put("type", "error");
            root.putObject("error").put("type", anthropicType(error.status())).put("message", error.message());
            return root.toString();
        }
    };

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The error object, as the body of a response or the data of a server-sent event. */
    public abstract String json(ApiError error);

    /** An answer that says the error, and to machines the same in headers whatever the shape. */
    public HttpResponse response(ApiError error) {
        List<HttpHeader> headers = new ArrayList<>();
        headers.add(RawHeader.create("x-router-reason", error.reason()));
        if (!error.retry().useful()) {
            headers.add(RawHeader.create("x-should-retry", "false"));
        }
        if (error.status() == ApiError.UNAUTHORIZED) {
            headers.add(RawHeader.create("WWW-Authenticate", "Bearer"));
        }
        error.retryAfter()
                .ifPresent(seconds -> headers.add(RawHeader.create("Retry-After", Integer.toString(seconds))));
        return HttpResponse.create()
                .withStatus(StatusCodes.get(error.status()))
                .withEntity(ContentTypes.APPLICATION_JSON, json(error))
                .withHeaders(headers);
    }

    /** The last event of a stream that breaks off; what was cut before it is ended first. */
    public ByteString event(ApiError error) {
        return ByteString.fromString("\n\nevent: error\ndata: " + json(error) + "\n\n");
    }

    private static String anthropicType(int status) {
        return switch (status) {
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 503 -> "overloaded_error";
            default -> status < 500 ? "invalid_request_error" : "api_error";
        };
    }
}
