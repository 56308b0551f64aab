package io.kvrouter.selection;

/**
 * How workers are selected: by which policy, with which factors, and above which load not at all.
 *
 * @param nearEqual how much more than the cheapest a worker may cost to be as good as it where other nodes select too, in
 *     lengths of the prompt; 0 = only exact ties are equal
 */
public record SelectionSettings(Policy policy, CostFactors factors, BusyThresholds thresholds, double nearEqual) {
    /** Half a prompt: less than what one unseen booking adds, and the best of those that were simulated. */
    public static final double DEFAULT_NEAR_EQUAL = 0.5;

    public static final SelectionSettings DEFAULT =
            new SelectionSettings(Policy.KV, CostFactors.DEFAULT, BusyThresholds.NONE);

    public SelectionSettings {
        if (!(nearEqual >= 0 && Double.isFinite(nearEqual))) {
            throw new IllegalArgumentException("near-equal: " + nearEqual + " (expected: a number >= 0)");
        }
    }

    public SelectionSettings(Policy policy, CostFactors factors, BusyThresholds thresholds) {
        this(policy, factors, thresholds, DEFAULT_NEAR_EQUAL);
    }
}
