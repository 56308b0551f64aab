package io.kvrouter.bench.proxy;

import java.util.Locale;

/** What is sent. */
public enum Workload {
    /** Small requests, so many at once, each sent when another is answered. */
    SHORT("small requests, closed loop", "request"),
    /** Small requests at a pace, whether others are answered or not. */
    PACED("small requests at half of what the router sustains", "request"),
    /** Streams whose events come as fast as they are taken. */
    BURST("100 streams of 500 events, as fast as they go", "event"),
    /** Streams as engines send them. */
    STREAMS_200("200 streams x 50 events/s", "event"),
    /** More of them. */
    STREAMS_1000("1,000 streams x 50 events/s", "event"),
    /** Prompts of 3 MB. */
    LONG("prompts of 3 MB, 4 at once", "request");

    private final String title;
    private final String unit;

    Workload(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    String title() {
        return title;
    }

    /** What is counted. */
    String unit() {
        return unit;
    }

    /** As an option names it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
