package io.kvrouter.bench.workload;

import java.util.random.RandomGenerator;

/** Draws from the distributions of the synthetic sessions. */
final class Draws {
    private final RandomGenerator random;

    Draws(RandomGenerator random) {
        this.random = random;
    }

    /** True with this probability. */
    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    double uniform(double from, double to) {
        return random.nextDouble(from, to);
    }

    int integer(int bound) {
        return random.nextInt(bound);
    }

    /** By the median and the standard deviation of the logarithm. */
    double logNormal(double median, double deviation) {
        return median * Math.exp(deviation * random.nextGaussian());
    }

    double beta(double a, double b) {
        double first = gamma(a);
        return first / (first + gamma(b));
    }

    /** By Marsaglia and Tsang (2000): rejection from a transformed normal; a shape below 1 from the one above it. */
    private double gamma(double shape) {
        if (shape < 1) {
            return gamma(shape + 1) * Math.pow(1 - random.nextDouble(), 1 / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double normal = random.nextGaussian();
            double cube = Math.pow(1 + c * normal, 3);
            double bound = 0.5 * normal * normal + d - d * cube;
            if (cube > 0 && Math.log(1 - random.nextDouble()) < bound + d * Math.log(cube)) {
                return d * cube;
            }
        }
    }
}
