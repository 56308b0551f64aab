package io.kvrouter.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where sessions went, from the workers' own logs: the proof that what clients were told of it is true. For sessions
 * whose turns follow one another.
 */
final class SessionTrail {
    /** Turns that tell nothing of their session's worker. */
    private static final Set<String> ASIDE = Set.of("detoured", "unbound");

    private record Step(long arrivalMs, String worker, String requestId) {}

    private final String session;
    private final List<Step> steps;
    private final Map<String, Turn> told;

    private SessionTrail(String session, List<Step> steps, Map<String, Turn> told) {
        this.session = session;
        this.steps = steps;
        this.told = told;
    }

    /**
     * Each turn was served once, by the worker that its client was told; each change of a session's worker has exactly
     * one rebound turn, and each rebound turn is a change.
     */
    static void check(WorkerGroup workers, Collection<Turn> turns) {
        Map<String, List<Step>> logs = logs(workers);
        turns.stream()
                .collect(Collectors.groupingBy(Turn::session))
                .forEach((session, told) -> new SessionTrail(
                                session,
                                logs.getOrDefault(session, List.of()),
                                told.stream().collect(Collectors.toMap(Turn::requestId, turn -> turn)))
                        .check());
    }

    /** Requests that were answered with success, in the order in which they came, by session. */
    private static Map<String, List<Step>> logs(WorkerGroup workers) {
        Map<String, List<Step>> logs = new TreeMap<>();
        for (String id : workers.ids()) {
            for (var request : workers.worker(id).requests()) {
                var headers = request.path("headers");
                if (request.path("status").asInt() == 200) {
                    var step = new Step(
                            request.path("arrival_ms").asLong(),
                            id,
                            headers.path("x-request-id").asText());
                    logs.computeIfAbsent(headers.path("x-session-id").asText(), key -> new ArrayList<>())
                            .add(step);
                }
            }
        }
        logs.values().forEach(steps -> steps.sort(Comparator.comparingLong(Step::arrivalMs)));
        return logs;
    }

    private void check() {
        told.values()
                .forEach(turn -> assertThat(steps)
                        .as("%s in the workers' logs", turn)
                        .filteredOn(step -> step.requestId().equals(turn.requestId()))
                        .extracting(Step::worker)
                        .containsExactly(turn.worker()));
        String home = "";
        for (Step step : steps) {
            String decision = decision(step);
            if (ASIDE.contains(decision)) {
                continue;
            }
            boolean moved = !home.isEmpty() && !step.worker().equals(home);
            assertThat(decision.equals("rebound"))
                    .as("%s of %s, so far at \"%s\", was %s", step, session, home, decision)
                    .isEqualTo(moved);
            home = step.worker();
        }
    }

    /** As its client was told; of one whose answer was lost with its node nothing is known. */
    private String decision(Step step) {
        var turn = told.get(step.requestId());
        return turn == null ? "unknown" : turn.decision();
    }
}
