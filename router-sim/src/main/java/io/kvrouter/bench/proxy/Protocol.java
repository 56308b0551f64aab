package io.kvrouter.bench.proxy;

import java.util.Locale;

/** What clients may speak to the router beside HTTP/1.1 in plain text. */
public enum Protocol {
    /** HTTP/1.1 over TLS. */
    HTTPS("router, TLS", false, true),
    /** HTTP/2 in plain text, by prior knowledge. */
    H2C("router, HTTP/2", true, false),
    /** HTTP/2 over TLS. */
    H2("router, HTTP/2 by TLS", true, true);

    private final String way;
    private final boolean http2;
    private final boolean tls;

    Protocol(String way, boolean http2, boolean tls) {
        this.way = way;
        this.http2 = http2;
        this.tls = tls;
    }

    /** The name of the way that takes it. */
    String way() {
        return way;
    }

    boolean http2() {
        return http2;
    }

    boolean tls() {
        return tls;
    }

    /** As an option names it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
