package io.kvrouter.sim.engine;

/** How long one step of the engine takes, in ms. Source: the polynomials of NVIDIA Dynamo's mocker. */
public final class StepTime {
    private StepTime() {}

    /** Time to compute so many new prompt tokens in one step; nothing for none. */
    public static double prefillMs(long tokens) {
        return tokens == 0 ? 0 : 4.209989e-7 * tokens * tokens + 1.518344e-2 * tokens + 16.50142;
    }

    /** Time to make one token for each running sequence, by the share of the pool that running sequences use. */
    public static double decodeMs(double usedShare) {
        return Math.max(1, -25.74 * usedShare * usedShare + 54.01 * usedShare + 5.74);
    }
}
