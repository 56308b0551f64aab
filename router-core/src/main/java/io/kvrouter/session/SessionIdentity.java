package io.kvrouter.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What makes a session the same session: two are equal only byte for byte in all parts.
 *
 * @param group routing group
 * @param model model or adapter, as requested
 * @param caller name of the authenticated key; empty without authentication
 * @param id session id, as the client chose it: at most 256 bytes, no control characters
 * @param agent id of an agent inside it, whose turns are a session of their own: bounded alike; empty for the session
 */
public record SessionIdentity(String group, String model, String caller, String id, String agent) {
    /** The longest session id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 256;

    public SessionIdentity {
        if (id.isEmpty() || !fits(id) || !fits(agent)) {
            // The id itself stays out of the message: session ids never reach logs or errors.
            throw new IllegalArgumentException(
                    "session id (expected: 1 to " + MAX_ID_BYTES + " bytes, no control characters)");
        }
    }

    /** A session without agents. */
    public SessionIdentity(String group, String model, String caller, String id) {
        this(group, model, caller, id, "");
    }

    private static boolean fits(String id) {
        return id.getBytes(StandardCharsets.UTF_8).length <= MAX_ID_BYTES
                && id.chars().noneMatch(Character::isISOControl);
    }

    /**
     * The first 128 bits of SHA-256 over the four parts, and the agent's id if there is one, each prefixed with its
     * length in bytes (4 bytes).
     */
    public SessionKey key() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (String part : new String[] {group, model, caller, id}) {
                update(sha, part);
            }
            if (!agent.isEmpty()) {
                update(sha, agent);
            }
            ByteBuffer digest = ByteBuffer.wrap(sha.digest());
            return new SessionKey(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static void update(MessageDigest sha, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        sha.update(bytes);
    }

    /** The key, so that no session id reaches a log by way of a record's text. */
    @Override
    public String toString() {
        return key().toString();
    }
}
