package io.kvrouter.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Drops Pekko's advice to join by hand. Each node would give it, because none has Pekko's own seed nodes: it joins by
 * {@code kvrouter.join}, or alone. The line has the level and the logger of the news of members, so neither can tell.
 */
public final class JoiningAdvice extends Filter<ILoggingEvent> {
    private static final String ADVICE = "No seed-nodes configured, manual cluster join required";

    @Override
    public FilterReply decide(ILoggingEvent event) {
        return event.getFormattedMessage().contains(ADVICE) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
