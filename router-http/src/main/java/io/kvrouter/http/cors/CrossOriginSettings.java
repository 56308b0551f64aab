package io.kvrouter.http.cors;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Which pages may call the API from a browser.
 *
 * @param origins as browsers name them ({@code https://chat.example.org}); {@code *} = all; empty = none
 * @param maxAge how long a browser may remember what it was allowed
 */
public record CrossOriginSettings(Set<String> origins, Duration maxAge) {
    /** Every page. */
    static final String ALL = "*";

    public CrossOriginSettings {
        origins = Set.copyOf(origins);
        origins.forEach(CrossOriginSettings::require);
        if (maxAge.isNegative()) {
            throw new IllegalArgumentException("kvrouter.cors.max-age: " + maxAge + " (expected: >= 0)");
        }
    }

    private static void require(String origin) {
        if (!origin.equals(ALL) && !isOrigin(origin)) {
            throw new IllegalArgumentException(
                    "kvrouter.cors.origins: " + origin + " (expected: scheme://host[:port], or *)");
        }
    }

    private static boolean isOrigin(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getScheme() != null && uri.getHost() != null && text.endsWith(uri.getAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether any page may. */
    boolean on() {
        return !origins.isEmpty();
    }

    boolean allow(String origin) {
        return origins.contains(ALL) || origins.contains(origin);
    }
}
