package io.kvrouter.bench.sessions;

import java.util.List;

/**
 * All that was measured.
 *
 * @param fill the phase that made the sessions
 * @param memory of each node, with all of them
 */
record SessionsResult(
        SessionsPlan plan,
        PhaseResult fill,
        List<NodeMemory> memory,
        List<PhaseResult> phases,
        List<FaultResult> faults) {
    private static final double TOLERATED = 1e-4;

    SessionsResult {
        memory = List.copyOf(memory);
        phases = List.copyOf(phases);
        faults = List.copyOf(faults);
    }

    /** No request failed through a node that lived, and no more sessions lost their worker than may. */
    boolean sound() {
        return phases.stream().allMatch(phase -> phase.turns().failed() == 0)
                && faults.stream().allMatch(SessionsResult::kept);
    }

    private static boolean kept(FaultResult fault) {
        var changes = fault.changes();
        long lost = changes.silent() + changes.unheard() + changes.rebound() + changes.forgotten();
        return lost <= TOLERATED * changes.asked() && fault.logs().contradictions() == 0;
    }
}
