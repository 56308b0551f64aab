package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How turns stay on their worker.
 *
 * @param ttl a session idle for longer is forgotten; zero = pinning off
 * @param ttlPerModel the same for single models
 * @param headers request headers that carry a session id; the first that is present counts
 * @param bodyFields body fields that carry one, by their dotted path, after the headers
 */
public record SessionSettings(
        Duration ttl, Map<String, Duration> ttlPerModel, List<String> headers, List<String> bodyFields) {
    static final String PER_MODEL = "session-ttl-per-model";
    static final String TTL = "session-ttl";
    static final String TTL_SECONDS = "session-affinity-ttl-s";
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final double MILLIS = 1_000;

    static SessionSettings read(SettingsReader settings) {
        return new SessionSettings(
                ttl(settings),
                perModel(settings),
                settings.list("session-headers", header -> header),
                settings.list("session-body-fields", field -> field));
    }

    private static Duration ttl(SettingsReader settings) {
        if (settings.has(TTL_SECONDS)) {
            double seconds = settings.number(TTL_SECONDS);
            settings.require(
                    TTL_SECONDS,
                    seconds >= 0 && seconds <= LONGEST.toSeconds(),
                    seconds + " (expected: 0 = off, to " + LONGEST.toSeconds() + ")");
            return Duration.ofMillis(Math.round(seconds * MILLIS));
        }
        return withinAYear(settings, TTL, settings.read(TTL, Config::getDuration));
    }

    private static Map<String, Duration> perModel(SettingsReader settings) {
        Map<String, Duration> ttls = new TreeMap<>();
        for (String model :
                settings.read(PER_MODEL, (c, key) -> c.getObject(key).keySet())) {
            String key = PER_MODEL + "." + ConfigUtil.quoteString(model);
            ttls.put(model, withinAYear(settings, key, settings.read(key, Config::getDuration)));
        }
        return Map.copyOf(ttls);
    }

    private static Duration withinAYear(SettingsReader settings, String key, Duration ttl) {
        settings.require(
                key,
                !ttl.isNegative() && ttl.compareTo(LONGEST) <= 0,
                ttl + " (expected: 0 = off, to " + LONGEST.toDays() + "d)");
        return ttl;
    }

    /** The idle timeout of sessions of a model. */
    public Duration ttl(String model) {
        return ttlPerModel.getOrDefault(model, ttl);
    }
}
