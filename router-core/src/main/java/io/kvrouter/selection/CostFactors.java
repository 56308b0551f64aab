package io.kvrouter.selection;

import java.util.List;
import java.util.function.ToDoubleFunction;

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

    /** Their names in order, as settings and requests write them. */
    public static final List<String> NAMES = List.of(
            "prefill-scale", "overlap-credit", "decay", "host-credit", "disk-credit", "request-weight", "temperature");

    public CostFactors {
        double[] values = {prefillScale, overlapCredit, decay, hostCredit, diskCredit, requestWeight, temperature};
        for (int i = 0; i < values.length; i++) {
            if (!(values[i] >= 0 && Double.isFinite(values[i]))) {
                throw new IllegalArgumentException(NAMES.get(i) + ": " + values[i] + " (expected: a number >= 0)");
            }
        }
    }

    /** Asks for each by its name. */
    public static CostFactors of(ToDoubleFunction<String> named) {
        double[] values = NAMES.stream().mapToDouble(named).toArray();
        return new CostFactors(values[0], values[1], values[2], values[3], values[4], values[5], values[6]);
    }

    /** With another value of one of them. Throws IllegalArgumentException for a name that none has. */
    public CostFactors with(String name, double value) {
        double before = value(name);
        return value == before ? this : of(other -> other.equals(name) ? value : value(other));
    }

    /** Its value by name. */
    public double value(String name) {
        return switch (name) {
            case "prefill-scale" -> prefillScale;
            case "overlap-credit" -> overlapCredit;
            case "decay" -> decay;
            case "host-credit" -> hostCredit;
            case "disk-credit" -> diskCredit;
            case "request-weight" -> requestWeight;
            case "temperature" -> temperature;
            default -> throw new IllegalArgumentException("no such cost factor (expected: one of " + NAMES + ")");
        };
    }
}
