package io.kvrouter.selection;

import java.util.random.RandomGenerator;

/**
 * Chooses a candidate while other nodes choose too, unseen for tens of milliseconds. The cheapest would be the same for
 * all of them, and they would run there as a herd. So one of those is taken that are as good as equal to it: they hold at
 * least as much of the prompt, and what they cost more is less than what one unseen booking would add. In a cluster of
 * more than eight nodes each choice looks at a random part of these rivals only, so that each is looked at by two nodes
 * at a time. Allocates nothing but to grow.
 *
 * <p>{@code HerdTest}'s fleet of 64 workers, eight requests on each, busiest against mean, with the others' load 60 ms
 * old: 4 nodes 1.41 with exact ties only, 1.35 with a width of 0.25 to 0.5, 1.38 with 1; 16 nodes 1.96, with a width of
 * 0.5 and sampling 1.51 (with samples in which eight nodes meet 1.87), 32 nodes 2.22 and 1.50. A perfect view gives 1.19
 * to 1.21, round robin 1.66.
 */
final class NearLeast {
    /** Up to so many nodes look at all candidates. */
    private static final int FEW_NODES = 8;

    /** In a larger cluster so many look at the same candidate at a time. */
    private static final int MEETING = 2;

    /** The least number of rivals that a choice looks at: a sample of eight finds a good one. */
    private static final int LEAST_SAMPLE = 8;

    private final double width;
    private final RandomGenerator random;
    private double[] cost = {};
    private int[] rivals = {};

    /**
     * Near within a width.
     *
     * @param width in prompts: times the blocks of the prompt it is the difference in cost that does not count
     */
    NearLeast(double width, RandomGenerator random) {
        this.width = width;
        this.random = random;
    }

    int choose(Field field, CostFunction costs) {
        if (cost.length < field.size()) {
            cost = new double[field.size()];
            rivals = new int[field.size()];
        }
        int cheapest = 0;
        for (int i = 0; i < field.size(); i++) {
            cost[i] = field.cost(i, costs);
            cheapest = cost[i] < cost[cheapest] ? i : cheapest;
        }
        int count = rivals(field, costs, cheapest);
        int sample = sample(count, field.nodes());
        int start = sample < count ? random.nextInt(count) : 0;
        return anyNear(start, sample, count, width * field.chain(cheapest).length());
    }

    /** Those that hold as much of the prompt as the cheapest, itself among them. */
    private int rivals(Field field, CostFunction costs, int cheapest) {
        long cached = field.cachedTokens(cheapest, costs);
        int count = 0;
        for (int i = 0; i < field.size(); i++) {
            if (cached == 0 || field.cachedTokens(i, costs) >= cached) {
                rivals[count++] = i;
            }
        }
        return count;
    }

    private static int sample(int rivals, int nodes) {
        return nodes <= FEW_NODES ? rivals : Math.min(rivals, Math.max(LEAST_SAMPLE, rivals * MEETING / nodes));
    }

    /** One of the sample that costs no more than its cheapest and the band; each with the same probability. */
    private int anyNear(int start, int sample, int count, double band) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < sample; i++) {
            least = Math.min(least, cost[rivals[(start + i) % count]]);
        }
        int chosen = rivals[start];
        int near = 0;
        for (int i = 0; i < sample; i++) {
            int rival = rivals[(start + i) % count];
            if (cost[rival] <= least + band && random.nextInt(++near) == 0) {
                chosen = rival;
            }
        }
        return chosen;
    }
}
