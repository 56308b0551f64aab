package io.kvrouter.kv.fleet;

import io.kvrouter.kv.event.BatchDecoder;
import java.util.function.LongSupplier;

/**
 * What streams are made with.
 *
 * @param clock ms, of any clock that does not jump
 */
public record StreamParts(EventSources sources, BatchDecoder decoder, LongSupplier clock) {}
