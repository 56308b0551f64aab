package io.kvrouter.booking;

import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.selection.SelectionSettings;

/**
 * How a node books.
 *
 * @param disuseMs after how long without use a block that was routed to a worker is taken as evicted there
 * @param defaultCapacity KV blocks of a worker that does not tell: bounds what is remembered of it
 * @param admission how many requests may run, and wait
 */
public record BookingSettings(
        SelectionSettings selection, long disuseMs, long defaultCapacity, AdmissionSettings admission) {
    public static final BookingSettings DEFAULT = new BookingSettings(SelectionSettings.DEFAULT, 120_000, 65_536);

    /** Where every request is admitted. */
    public BookingSettings(SelectionSettings selection, long disuseMs, long defaultCapacity) {
        this(selection, disuseMs, defaultCapacity, AdmissionSettings.OFF);
    }

    public BookingSettings {
        if (disuseMs <= 0 || defaultCapacity <= 0) {
            throw new IllegalArgumentException(
                    "booking: disuse " + disuseMs + " ms, capacity " + defaultCapacity + " (expected: > 0)");
        }
    }
}
