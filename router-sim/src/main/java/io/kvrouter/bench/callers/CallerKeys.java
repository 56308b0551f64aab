package io.kvrouter.bench.callers;

import io.kvrouter.access.KeyHash;
import io.kvrouter.http.access.KeysText;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A key of each caller, good for this run only. */
final class CallerKeys {
    private static final int BYTES = 32;

    private final Map<String, String> keys = new TreeMap<>();

    CallerKeys() {
        var random = new SecureRandom();
        for (Phase phase : Phase.values()) {
            for (Party party : phase.parties()) {
                keys.computeIfAbsent(phase.caller(party), any -> key(random));
            }
        }
    }

    private static String key(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** What that party shows. */
    String of(Phase phase, Party party) {
        return keys.getOrDefault(phase.caller(party), "");
    }

    /** The callers as nodes are told them, with hashes in place of keys. */
    String setting() {
        String all = keys.entrySet().stream()
                .map(key -> KeysText.entry(false, key.getKey(), KeyHash.of(key.getValue())))
                .collect(Collectors.joining("\n"));
        return all + "\ncallers." + Phase.WEIGHTED.caller(Party.MODEST) + ".share = " + Phase.SHARE;
    }
}
