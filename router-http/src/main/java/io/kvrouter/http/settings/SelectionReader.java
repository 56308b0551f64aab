package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.selection.BusyThresholds;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.selection.Policy;
import io.kvrouter.selection.SelectionSettings;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads how workers are selected ({@code policy, cost.*, busy.*, selection.*}), and how many requests may come there. */
final class SelectionReader {
    private SelectionReader() {}

    static SelectionSettings read(SettingsReader settings) {
        return new SelectionSettings(
                settings.parsed("policy", Policy::named),
                CostFactors.of(name -> atLeastZero(settings, "cost." + name)),
                new BusyThresholds(
                        whole(settings, "busy.prefill-tokens"),
                        optional(settings, "busy.decode-fraction"),
                        whole(settings, "busy.requests")),
                atLeastZero(settings, "selection.near-equal"));
    }

    static AdmissionSettings admission(SettingsReader settings) {
        return new AdmissionSettings(
                cap(settings, "admission.requests"),
                cap(settings, "admission.requests-per-worker"),
                settings.atLeast(0, "admission.queue"),
                settings.positive("admission.queue-timeout").toMillis());
    }

    private static int cap(SettingsReader settings, String key) {
        return settings.has(key) ? settings.atLeast(1, key) : AdmissionSettings.UNBOUNDED;
    }

    private static double atLeastZero(SettingsReader settings, String key) {
        double value = settings.number(key);
        settings.require(key, value >= 0 && Double.isFinite(value), value + " (expected: a number >= 0)");
        return value;
    }

    private static OptionalDouble optional(SettingsReader settings, String key) {
        return settings.has(key) ? OptionalDouble.of(atLeastZero(settings, key)) : OptionalDouble.empty();
    }

    private static OptionalLong whole(SettingsReader settings, String key) {
        if (!settings.has(key)) {
            return OptionalLong.empty();
        }
        double value = atLeastZero(settings, key);
        settings.require(key, value == Math.rint(value), value + " (expected: a whole number)");
        return OptionalLong.of(settings.read(key, Config::getLong));
    }
}
