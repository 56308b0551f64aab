package io.kvrouter.http.reservation;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A load that writes down what it is told. */
final class ToldLoad implements HeldLoad {
    final List<String> told = new ArrayList<>();
    boolean over;

    @Override
    public void prefillComplete() {
        told.add("prefill complete");
    }

    @Override
    public void output(long tokens) {
        told.add("output " + tokens);
    }

    @Override
    public void end(boolean served, OptionalLong contextTokens) {
        if (!over) {
            told.add((served ? "served" : "not served")
                    + (contextTokens.isPresent() ? " " + contextTokens.getAsLong() : ""));
        }
        over = true;
    }
}
