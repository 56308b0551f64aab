package io.kvrouter.sim.api;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one request's headers ask to go wrong.
 *
 * @param delayMs wait before anything is done with the request
 * @param stall never answer
 * @param status answer with this error; 0 for none
 * @param cutAfterBytes reset the connection once so many bytes of the body were sent; beyond the body: not at all
 */
public record RequestFaults(long delayMs, boolean stall, int status, long cutAfterBytes) {
    /** Reads the headers, each looked up by its name. */
    public static RequestFaults of(Function<String, @Nullable String> headers) {
        String stall = headers.apply("x-sim-stall");
        return new RequestFaults(
                number(headers, "x-sim-delay-ms", 0),
                stall != null && !stall.equals("false") && !stall.equals("0"),
                errorStatus("x-sim-status", number(headers, "x-sim-status", 0)),
                number(headers, "x-sim-cut-after-bytes", Long.MAX_VALUE));
    }

    private static int errorStatus(String name, long status) {
        if (status != 0 && (status < 400 || status > 599)) {
            throw Refused.badRequest(name + ": " + status + " (expected: 400 to 599)");
        }
        return (int) status;
    }

    private static long number(Function<String, @Nullable String> headers, String name, long otherwise) {
        String value = headers.apply(name);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value.strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw Refused.badRequest(name + ": not a number (expected: >= 0)");
        }
        throw Refused.badRequest(name + ": negative (expected: >= 0)");
    }
}
