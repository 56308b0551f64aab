package io.kvrouter.http.access;

import io.kvrouter.access.Caller;
import io.kvrouter.access.Operator;
import io.kvrouter.http.header.Credentials;
import io.kvrouter.http.openai.Dialect;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * Who is this? The one place that answers it, for both ports, by the headers of a request alone.
 *
 * <p>Without keys everybody may ask for any model, and those on loopback are trusted. With keys an address means
 * nothing. The management port asks for a key as soon as the keys' text has a section of operators, and goes on asking
 * when that is gone: a file that loses its lines must not open a door.
 */
public final class Gate {
    private static final String BEARER = "bearer ";

    private final Optional<Supplier<Keys>> keys;
    private volatile boolean operated;

    private Gate(Optional<Supplier<Keys>> keys) {
        this.keys = keys;
        this.operated = operated();
    }

    /** Without keys. */
    public static Gate open() {
        return new Gate(Optional.empty());
    }

    /** With keys, and with those only, even if there are none. */
    public static Gate of(Supplier<Keys> keys) {
        return new Gate(Optional.of(keys));
    }

    private boolean operated() {
        return operated || keys.filter(known -> known.get().operated()).isPresent();
    }

    /** Who calls the API; empty = it needs a key, and this is none. */
    public Optional<Caller> caller(HttpRequest request, Dialect dialect) {
        return keys.isEmpty()
                ? Optional.of(isFromLoopback(request) ? Caller.LOCAL : Caller.STRANGER)
                : key(request, dialect)
                        .flatMap(key -> keys.get().get().callers().holder(key));
    }

    /** Who calls the management port; empty = it needs a key, and this is none. */
    public Optional<Operator> operator(HttpRequest request) {
        operated = operated();
        return operated
                ? key(request, Dialect.OPENAI)
                        .flatMap(key -> keys.orElseThrow().get().operators().holder(key))
                : Optional.of(Operator.ANYBODY);
    }

    private static boolean isFromLoopback(HttpRequest request) {
        return request.getAttribute(AttributeKeys.remoteAddress)
                .flatMap(address -> address.getAddress())
                .filter(InetAddress::isLoopbackAddress)
                .isPresent();
    }

    /**
     * The key that a request shows; empty also if it shows several, even alike: a proxy before this node may have looked
     * at another one than this node would.
     */
    private static Optional<String> key(HttpRequest request, Dialect dialect) {
        List<String> shown = new ArrayList<>();
        for (HttpHeader header : request.getHeaders()) {
            if (header.lowercaseName().equals(Credentials.AUTHORIZATION)) {
                String value = header.value();
                shown.add(
                        value.regionMatches(true, 0, BEARER, 0, BEARER.length())
                                ? value.substring(BEARER.length()).strip()
                                : "");
            } else if (dialect == Dialect.ANTHROPIC && header.lowercaseName().equals(Credentials.API_KEY)) {
                shown.add(header.value().strip());
            }
        }
        return shown.size() == 1 && !shown.getFirst().isEmpty() ? Optional.of(shown.getFirst()) : Optional.empty();
    }
}
