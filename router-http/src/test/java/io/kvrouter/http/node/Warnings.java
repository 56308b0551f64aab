package io.kvrouter.http.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/** Keeps the console as quiet as it is without a test that listens to more. */
final class Warnings extends Filter<ILoggingEvent> {
    @Override
    public FilterReply decide(ILoggingEvent event) {
        return event.getLevel().isGreaterOrEqual(Level.WARN) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }
}
