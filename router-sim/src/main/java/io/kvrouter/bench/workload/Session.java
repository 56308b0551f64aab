package io.kvrouter.bench.workload;

import java.util.Iterator;

/**
 * One session, to be played once.
 *
 * @param length how many turns it has
 * @param turns one after the other, made when they are asked for
 */
public record Session(int length, Iterator<SessionTurn> turns) {}
