package io.kvrouter.booking;

import io.kvrouter.selection.SelectionSettings;

/**
 * How a node books.
 *
 * @param disuseMs after how long without use a block that was routed to a worker is taken as evicted there
 * @param defaultCapacity KV blocks of a worker that does not tell: bounds what is remembered of it
 */
public record BookingSettings(SelectionSettings selection, long disuseMs, long defaultCapacity) {
    public static final BookingSettings DEFAULT = new BookingSettings(SelectionSettings.DEFAULT, 120_000, 65_536);

    public BookingSettings {
        if (disuseMs <= 0 || defaultCapacity <= 0) {
            throw new IllegalArgumentException(
                    "booking: disuse " + disuseMs + " ms, capacity " + defaultCapacity + " (expected: > 0)");
        }
    }
}
