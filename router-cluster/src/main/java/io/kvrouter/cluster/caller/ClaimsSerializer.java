package io.kvrouter.cluster.caller;

import io.kvrouter.access.share.Spent;
import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.ExtendedActorSystem;

/**
 * The bytes of {@link CallerClaims.Claims}: a format byte, the node, and each caller with its requests; in format 2 each
 * caller with its tokens too. Where no caller's tokens count, format 1 is written, which older nodes read.
 */
public final class ClaimsSerializer extends FormatSerializer {
    private static final int IDENTIFIER = 761_007;
    private static final int WITHOUT_TOKENS = 1;
    private static final int FORMAT = 2;

    /** A name of one character, its length, and a number. */
    private static final int LEAST_BYTES = 3;

    /** The same with three numbers. */
    private static final int LEAST_BYTES_SPENT = 5;

    /** Made by Pekko's serialization. */
    public ClaimsSerializer(ExtendedActorSystem system) {
        super(system, IDENTIFIER, FORMAT);
    }

    @Override
    public String manifest(Object message) {
        if (message instanceof CallerClaims.Claims) {
            return "C";
        }
        throw noBytesFor(message);
    }

    @Override
    protected int format(Object message) {
        return message instanceof CallerClaims.Claims claims && claims.tokens().isEmpty() ? WITHOUT_TOKENS : FORMAT;
    }

    @Override
    protected boolean understands(int written) {
        return written == WITHOUT_TOKENS || written == FORMAT;
    }

    @Override
    protected void write(WireOutput out, Object message) {
        if (!(message instanceof CallerClaims.Claims(var node, var claims, var tokens))) {
            throw noBytesFor(message);
        }
        out.putLong(node).putVar(claims.size());
        new TreeMap<>(claims).forEach((caller, requests) -> out.putText(caller).putVar(requests));
        if (!tokens.isEmpty()) {
            out.putVar(tokens.size());
            new TreeMap<>(tokens)
                    .forEach((caller, spent) -> out.putText(caller)
                            .putVar(spent.since())
                            .putVar(spent.total())
                            .putVar(spent.lastMinute()));
        }
    }

    @Override
    protected Object read(WireInput in, String manifest) {
        if (!manifest.equals("C")) {
            throw unknownManifest();
        }
        long node = in.getLong();
        Map<String, Integer> claims = new HashMap<>();
        for (int left = in.getCount(LEAST_BYTES); left > 0; left--) {
            claims.put(in.getText(), in.getInt());
        }
        return new CallerClaims.Claims(node, claims, in.atEnd() ? Map.of() : tokens(in));
    }

    private static Map<String, Spent> tokens(WireInput in) {
        Map<String, Spent> tokens = new HashMap<>();
        for (int left = in.getCount(LEAST_BYTES_SPENT); left > 0; left--) {
            tokens.put(in.getText(), new Spent(in.getVar(), in.getVar(), in.getVar()));
        }
        return tokens;
    }
}
