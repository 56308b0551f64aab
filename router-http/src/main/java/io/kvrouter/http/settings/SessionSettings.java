package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import io.kvrouter.booking.SessionMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How turns stay on their worker.
 *
 * @param ttl a session idle for longer is forgotten; zero = pinning off
 * @param ttlPerModel the same for single models
 * @param mode what may move a turn away from its session's worker
 * @param modePerModel the same for single models
 * @param sources where a session id comes from: the first that has one counts
 * @param fingerprint without an id, the conversation's beginning is one
 */
public record SessionSettings(
        Duration ttl,
        Map<String, Duration> ttlPerModel,
        SessionMode mode,
        Map<String, SessionMode> modePerModel,
        List<SessionSource> sources,
        boolean fingerprint) {
    static final String TTL_PER_MODEL = "session-ttl-per-model";
    static final String MODE_PER_MODEL = "session-mode-per-model";
    static final String TTL = "session-ttl";
    static final String TTL_SECONDS = "session-affinity-ttl-s";
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final double MILLIS = 1_000;

    static SessionSettings read(SettingsReader settings) {
        return new SessionSettings(
                ttl(settings),
                perModel(
                        settings,
                        TTL_PER_MODEL,
                        key -> withinAYear(settings, key, settings.read(key, Config::getDuration))),
                settings.parsed("session-mode", SessionSettings::usable),
                perModel(settings, MODE_PER_MODEL, key -> settings.parsed(key, SessionSettings::usable)),
                settings.list("session-sources", SessionSource::parse),
                settings.read("session-fingerprint", Config::getBoolean));
    }

    private static SessionMode usable(String name) {
        SessionMode mode = SessionMode.named(name);
        if (mode == SessionMode.SPILL) {
            throw new IllegalArgumentException("\"spill\" is not there yet (expected: soft, hard or off)");
        }
        return mode;
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

    private static <T> Map<String, T> perModel(SettingsReader settings, String section, Function<String, T> read) {
        Map<String, T> values = new TreeMap<>();
        for (String model : settings.read(section, (c, key) -> c.getObject(key).keySet())) {
            values.put(model, read.apply(section + "." + ConfigUtil.quoteString(model)));
        }
        return Map.copyOf(values);
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

    /** The mode of sessions of a model. */
    public SessionMode mode(String model) {
        return modePerModel.getOrDefault(model, mode);
    }

    /** Whether a session of the model has a worker of its own. */
    public boolean pins(String model) {
        return mode(model) != SessionMode.OFF && ttl(model).toMillis() > 0;
    }

    /** Paths of the body's fields that may be an id. */
    public Set<String> bodyPaths() {
        return sources.stream()
                .filter(SessionSource.BodyField.class::isInstance)
                .map(source -> ((SessionSource.BodyField) source).path())
                .collect(Collectors.toUnmodifiableSet());
    }
}
