package io.kvrouter.kv.fleet;

import io.kvrouter.kv.event.BatchDecoder;
import java.util.function.LongSupplier;

/**
 * What streams are made with.
 *
 * @param clock ms, of any clock that does not jump
 * @param patience for how many ms a stream that is opened now waits for what other nodes know; 0 = there is nobody
 */
public record StreamParts(EventSources sources, BatchDecoder decoder, LongSupplier clock, LongSupplier patience) {}
