package io.kvrouter.selection;

import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.overlap.Overlap;

/**
 * What a prompt costs on a worker, in blocks; lower is better.
 *
 * @param tokens length of the prompt
 * @param leastPrefill the least active prefill tokens among the eligible workers
 */
public record CostFunction(CostFactors factors, long tokens, long leastPrefill) {
    /** Prompt tokens that need no computing. */
    public long cachedTokens(Overlap overlap, int blockSize) {
        double blocks =
                overlap.device() + factors.hostCredit() * overlap.host() + factors.diskCredit() * overlap.disk();
        return Math.min(Math.round(blocks * blockSize), tokens);
    }

    /**
     * The cost on a worker with this load. Computed for every candidate: whole numbers are added before they become
     * floating, and tiers that hold nothing are passed over, which is a tenth of a selection over 1,024 workers.
     *
     * @param newBlocks blocks of this prompt that are not already active on the worker
     */
    public double cost(WorkerLoad load, long newBlocks, Overlap overlap, int blockSize) {
        double raw = (double) (load.prefillTokens() + tokens) / blockSize;
        double credit = factors.overlapCredit() * decay(load, blockSize) * overlap.device();
        if ((overlap.host() | overlap.disk()) != 0) {
            credit += factors.hostCredit() * overlap.host() + factors.diskCredit() * overlap.disk();
        }
        double prefill = raw > credit ? raw - credit : 0;
        return factors.prefillScale() * prefill
                + (load.decodeBlocks() + newBlocks)
                + factors.requestWeight() * load.requests();
    }

    private double decay(WorkerLoad load, int blockSize) {
        if (factors.decay() == 0) {
            return 1;
        }
        double ahead = (double) (load.prefillTokens() - leastPrefill) / blockSize;
        double blocks = Math.ceilDiv(Math.max(tokens, 1), blockSize);
        return 1 / (1 + factors.decay() * ahead / blocks);
    }
}
