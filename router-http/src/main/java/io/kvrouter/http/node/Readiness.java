package io.kvrouter.http.node;

import java.util.function.BooleanSupplier;

/** Whether a node takes requests. Not before it has begun to serve, and then as long as its condition holds. */
final class Readiness implements BooleanSupplier {
    private volatile BooleanSupplier condition = () -> false;

    /** The node serves from now on, while this holds. */
    void serving(BooleanSupplier whileHolds) {
        condition = whileHolds;
    }

    @Override
    public boolean getAsBoolean() {
        return condition.getAsBoolean();
    }
}
