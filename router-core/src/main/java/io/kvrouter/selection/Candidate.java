package io.kvrouter.selection;

import io.kvrouter.load.Place;
import io.kvrouter.load.WorkerLoad;

/**
 * An eligible place as a selection sees it, for explanations.
 *
 * @param cost by the {@link CostFunction}, whatever the policy
 * @param busy over its threshold
 */
public record Candidate(Place place, WorkerLoad load, Overlap overlap, double cost, boolean busy) {}
