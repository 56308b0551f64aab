package io.kvrouter.http.metrics;

import io.kvrouter.http.turn.Decision;
import io.kvrouter.http.turn.TurnPorts;

/** What turns tell of themselves, as this node counts it. */
public record MeteredTurns(NodeMetrics metrics, SessionLatencies latencies) implements TurnPorts.TurnMeter {
    @Override
    public void resolved(Decision decision, long nanos) {
        latencies.resolved(decision.header(), nanos);
    }

    @Override
    public void compare(long predicted, long reported) {
        metrics.overlap(predicted, reported);
    }
}
