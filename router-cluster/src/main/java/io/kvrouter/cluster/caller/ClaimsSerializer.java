package io.kvrouter.cluster.caller;

import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.ExtendedActorSystem;

/** The bytes of {@link CallerClaims.Claims}: a format byte, the node, and each caller with its requests. */
public final class ClaimsSerializer extends FormatSerializer {
    private static final int IDENTIFIER = 761_007;
    private static final int FORMAT = 1;

    /** A name of one character, its length, and a number. */
    private static final int LEAST_BYTES = 3;

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
    protected void write(WireOutput out, Object message) {
        if (!(message instanceof CallerClaims.Claims(var node, var claims))) {
            throw noBytesFor(message);
        }
        out.putLong(node).putVar(claims.size());
        new TreeMap<>(claims).forEach((caller, requests) -> out.putText(caller).putVar(requests));
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
        return new CallerClaims.Claims(node, claims);
    }
}
