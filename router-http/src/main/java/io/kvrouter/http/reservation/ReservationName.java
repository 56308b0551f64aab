package io.kvrouter.http.reservation;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The name of a reservation in the whole cluster, written as 16 hex digits, a dash and the caller's own id.
 *
 * @param node uid of the node that holds it
 * @param id the caller's, or one that was made for it
 */
public record ReservationName(long node, String id) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:~-]{1,128}");
    private static final Pattern FULL = Pattern.compile("[0-9a-f]{16}-" + ID.pattern());
    private static final int NODE_DIGITS = 16;

    /** A name that was given out, by some node. */
    public static Optional<ReservationName> full(String text) {
        return FULL.matcher(text).matches()
                ? Optional.of(new ReservationName(
                        HexFormat.fromHexDigitsToLong(text, 0, NODE_DIGITS), text.substring(NODE_DIGITS + 1)))
                : Optional.empty();
    }

    /**
     * A new name on a node.
     *
     * @param own the caller's id; one is made if that is empty
     */
    static ReservationName on(long node, Optional<String> own) {
        String id = own.orElseGet(() -> UUID.randomUUID().toString());
        if (!ID.matcher(id).matches() || full(id).isPresent()) {
            throw new ApiException(ApiError.badRequest(
                    "A reservation's id has 1 to 128 of A-Z a-z 0-9 . _ : ~ - and no node's uid in front.",
                    "reservation_id"));
        }
        return new ReservationName(node, id);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(node) + "-" + id;
    }
}
