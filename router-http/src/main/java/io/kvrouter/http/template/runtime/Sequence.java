package io.kvrouter.http.template.runtime;

import java.util.List;

/** Statements one after the other. */
public final class Sequence implements Step {
    private final Step[] steps;

    private Sequence(List<Step> steps) {
        this.steps = steps.toArray(Step[]::new);
    }

    public static Step of(List<Step> steps) {
        return steps.size() == 1 ? steps.get(0) : new Sequence(steps);
    }

    @Override
    public Flow run(Frame frame) {
        for (Step step : steps) {
            Flow flow = step.run(frame);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }
}
