package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A request that gets an OpenAI error object for its answer. */
public final class Refused extends RuntimeException {
    private final int status;
    private final String type;
    private final String code;

    private Refused(int status, String message, String type, String code) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
        this.code = code;
    }

    public static Refused badRequest(String message) {
        return new Refused(400, message, "invalid_request_error", "");
    }

    public static Refused tooLong(String message) {
        return new Refused(400, message, "invalid_request_error", "context_length_exceeded");
    }

    public static Refused unknownModel(String model) {
        return new Refused(
                404, "The model `" + model + "` does not exist.", "invalid_request_error", "model_not_found");
    }

    /** Any status, for faults and for what is wrong with the HTTP request itself. */
    public static Refused withStatus(int status, String message) {
        String type = switch (status) {
            case 429 -> "rate_limit_error";
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            default -> status >= 500 ? "server_error" : "invalid_request_error";
        };
        return new Refused(status, message, type, "");
    }

    public int status() {
        return status;
    }

    /** The error object of the OpenAI API. */
    public byte[] json() {
        ObjectNode body = Json.object();
        ObjectNode error = body.putObject("error");
        error.put("message", getMessage()).put("type", type).putNull("param");
        if (code.isEmpty()) {
            error.putNull("code");
        } else {
            error.put("code", code);
        }
        return Json.bytes(body);
    }
}
