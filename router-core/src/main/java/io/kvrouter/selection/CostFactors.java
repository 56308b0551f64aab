package io.kvrouter.selection;

/**
 * The factors of the cost of a worker, as in NVIDIA Dynamo, so that users can carry their tuning over.
 *
 * @param prefillScale weight of prompt tokens to compute against decode blocks
 * @param overlapCredit how much of an overlapping device block is credited
 * @param decay how fast the credit falls as a worker queues more prefill than the idlest
 * @param hostCredit credit of a block in host memory
 * @param diskCredit credit of a block on disk
 * @param requestWeight blocks that each request in flight costs
 * @param temperature 0: the least cost; above: softmax over the costs, the flatter the higher
 */
public record CostFactors(
        double prefillScale,
        double overlapCredit,
        double decay,
        double hostCredit,
        double diskCredit,
        double requestWeight,
        double temperature) {
    public static final CostFactors DEFAULT = new CostFactors(1, 1, 0, 0.75, 0.25, 0, 0);

    public CostFactors {
        require("prefill-scale", prefillScale);
        require("overlap-credit", overlapCredit);
        require("decay", decay);
        require("host-credit", hostCredit);
        require("disk-credit", diskCredit);
        require("request-weight", requestWeight);
        require("temperature", temperature);
    }

    private static void require(String name, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: a number >= 0)");
        }
    }

    public CostFactors withTemperature(double value) {
        return new CostFactors(prefillScale, overlapCredit, decay, hostCredit, diskCredit, requestWeight, value);
    }
}
