package io.kvrouter.http.ingress;

import io.kvrouter.access.Caller;
import io.kvrouter.http.access.CallerQuota;
import io.kvrouter.http.openai.Usage;
import io.kvrouter.http.turn.Decision;
import io.kvrouter.http.turn.TurnPorts.TurnMeter;

/** A meter that sets the tokens of a caller's turns against its limit, which it has, and tells another of the rest. */
record ChargedTurns(Caller caller, CallerQuota quota, TurnMeter meter) implements TurnMeter {
    @Override
    public void resolved(Decision decision, long nanos) {
        meter.resolved(decision, nanos);
    }

    @Override
    public void used(Usage usage) {
        meter.used(usage);
    }

    @Override
    public void compare(long predicted, long reported) {
        meter.compare(predicted, reported);
    }

    @Override
    public boolean countsTokens() {
        return true;
    }

    @Override
    public void spends(long tokens) {
        quota.spends(caller, tokens);
    }
}
