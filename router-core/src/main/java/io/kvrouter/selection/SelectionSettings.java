package io.kvrouter.selection;

/** How workers are selected: by which policy, with which factors, and above which load not at all. */
public record SelectionSettings(Policy policy, CostFactors factors, BusyThresholds thresholds) {
    public static final SelectionSettings DEFAULT =
            new SelectionSettings(Policy.KV, CostFactors.DEFAULT, BusyThresholds.NONE);
}
