package io.kvrouter.sim.tokens;

/** What a worker answers: some filler. Few pieces of it differ. */
public interface Answer {
    /** What it consists of; at least one. */
    TokenIds tokens();

    /** The part of the text that comes with a token. */
    String piece(int index);

    /** All pieces together. */
    String text();
}
