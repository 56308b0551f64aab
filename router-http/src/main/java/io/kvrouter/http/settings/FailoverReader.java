package io.kvrouter.http.settings;

import io.kvrouter.failover.BreakerSettings;
import io.kvrouter.failover.RetrySettings;

/** Reads what follows from workers that fail. */
final class FailoverReader {
    private FailoverReader() {}

    static RetrySettings retries(SettingsReader settings) {
        return new RetrySettings(
                settings.atLeast(1, "max-attempts"),
                within(settings, "retries.share", 0, 100),
                settings.atLeast(0, "retries.reserve"),
                settings.duration("retries.back-off"),
                settings.duration("retries.longest-rest"),
                settings.duration("retries.hedge-after"));
    }

    static BreakerSettings breaker(SettingsReader settings) {
        var open = settings.positive("breaker.open");
        var longest = settings.positive("breaker.longest-open");
        settings.require(
                "breaker.longest-open",
                longest.compareTo(open) >= 0,
                longest + " (expected: at least kvrouter.breaker.open, " + open + ")");
        return new BreakerSettings(
                settings.atLeast(0, "breaker.failures"),
                within(settings, "breaker.share", Double.MIN_VALUE, 1),
                open,
                longest,
                settings.duration("breaker.slow-start"));
    }

    private static double within(SettingsReader settings, String key, double least, double most) {
        double value = settings.number(key);
        String expected = least > 0 ? "above 0, to " : "0 to ";
        settings.require(key, value >= least && value <= most, value + " (expected: " + expected + most + ")");
        return value;
    }
}
