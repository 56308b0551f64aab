package io.kvrouter.bench.proxy.load;

import io.kvrouter.bench.client.Wire;
import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A way to the engine.
 *
 * @param wire what is spoken to its beginning
 * @param cpu what its process has used so far; nothing if there is none
 * @param ids which session ids its requests carry; all but the router pass them on unread
 */
public record Contender(String name, URI url, Wire wire, Supplier<Duration> cpu, Ids ids) {
    /** The way without a proxy. */
    public static final String DIRECT = "direct";

    /** The way through the plain relay. */
    public static final String RELAY = "relay";

    /** The way through nginx. */
    public static final String NGINX = "nginx";

    /** The way through the router, turns of sessions that are bound: the normal case. */
    public static final String ROUTER = "router";

    /** Whose ids. */
    public enum Ids {
        /** Of sessions that come again. */
        AGAIN,
        /** Each of a new session. */
        NEW,
        /** None. */
        NONE
    }

    /** One that begins with HTTP/1.1 in plain text. */
    public Contender(String name, URI url, Supplier<Duration> cpu, Ids ids) {
        this(name, url, Wire.PLAIN, cpu, ids);
    }

    /** The same way with other ids. */
    public Contender with(String newName, Ids newIds) {
        return new Contender(newName, url, wire, cpu, newIds);
    }

    /** Whether it is one of the router. */
    public boolean routed() {
        return name.startsWith(ROUTER);
    }

    /** Whether it is made of code that is compiled while it runs. */
    public boolean compiles() {
        return routed() || name.equals(RELAY);
    }

    /** Whether nothing stands before the engine. */
    public boolean direct() {
        return name.equals(DIRECT);
    }
}
