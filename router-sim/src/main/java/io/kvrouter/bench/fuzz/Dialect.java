package io.kvrouter.bench.fuzz;

import java.util.random.RandomGenerator;

/** A version of HTTP: what a client writes that is not quite it, and how it reads what comes back. */
interface Dialect {
    /** A mutated request, or some of one, on a new connection. */
    byte[] mutated(RightRequest request, RandomGenerator random);

    /** Whether this is all of an answer: there is no use in waiting on a connection that is kept alive. */
    boolean whole(byte[] read);

    /** Whether this is an answer, or enough of one, for who has waited in vain for more. */
    boolean answered(byte[] read);

    /** Whether the router says that it failed: with a 500 of its own, or in another way of this version. */
    boolean failed(byte[] read);
}
