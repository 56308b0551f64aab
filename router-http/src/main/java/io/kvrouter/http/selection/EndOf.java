package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.reservation.ReservationCall;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;

/** How a request went, by the word of its caller: in the body, or in the query, as not every client has a body there. */
final class EndOf {
    private static final String SERVED = "served";
    private static final String CONTEXT = "context_tokens";

    private EndOf() {}

    static ReservationCall.End read(String name, Incoming call) {
        Fields fields = call.fields();
        Fields query = query(call);
        return new ReservationCall.End(
                name,
                fields.has(SERVED) ? fields.flag(SERVED, true) : query.flag(SERVED, true),
                (fields.has(CONTEXT) ? fields : query).whole(CONTEXT, 0, CallTurns.MAX_TOKENS));
    }

    private static Fields query(Incoming call) {
        ObjectNode json = ReservationJson.object();
        var query = call.request().getUri().query();
        query.get(SERVED).ifPresent(text -> json.put(SERVED, truth(text)));
        query.get(CONTEXT).ifPresent(text -> json.put(CONTEXT, number(text)));
        return new Fields(json);
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Fields.wrong(SERVED, "true or false");
        };
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new ApiException(
                    ApiError.badRequest("The field 'context_tokens' must be a whole number.", CONTEXT), e);
        }
    }
}
