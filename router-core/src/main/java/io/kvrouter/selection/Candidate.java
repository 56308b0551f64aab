package io.kvrouter.selection;

import io.kvrouter.load.Place;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.overlap.Overlap;

/**
 * An eligible place as a selection sees it, for explanations.
 *
 * @param newBlocks blocks of the prompt that no request of this node holds there
 * @param cost by the {@link CostFunction}, whatever the policy
 * @param busy over its threshold
 */
public record Candidate(Place place, WorkerLoad load, Overlap overlap, long newBlocks, double cost, boolean busy) {}
