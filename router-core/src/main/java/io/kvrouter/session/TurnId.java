package io.kvrouter.session;

/**
 * Tells two turns apart, in the whole cluster and for ever.
 *
 * @param node uid of the node that the turn entered
 * @param number unique among that node's turns
 */
public record TurnId(long node, long number) {}
