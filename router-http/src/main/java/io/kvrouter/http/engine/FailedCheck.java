package io.kvrouter.http.engine;

import io.kvrouter.http.openai.Cause;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** A health check that got no answer, as the JDK's client tells it. */
record FailedCheck(Throwable failure) {
    private static final int LONGEST = 200;

    /** What the client tells by a ConnectException too. */
    private static final List<Class<? extends Throwable>> NO_REFUSAL = List.of(
            HttpTimeoutException.class,
            UnresolvedAddressException.class,
            UnknownHostException.class,
            NoRouteToHostException.class);

    /** The first cause of a kind. */
    <T extends Throwable> Optional<T> cause(Class<T> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }

    /** Whether nobody listens there. Where nothing was heard in time, or no way was found, the next check may find it. */
    boolean refused() {
        return is(ConnectException.class) && NO_REFUSAL.stream().noneMatch(this::is);
    }

    /** For the operator. Of what is not known only the outermost message: further in may be what was sent. */
    String inWords(Duration timeout) {
        var tls = cause(SSLException.class);
        if (tls.isPresent()) {
            return "no TLS with it (" + tls.get().getMessage() + ")";
        }
        if (is(HttpTimeoutException.class) || is(TimeoutException.class)) {
            return "no answer within " + timeout.toMillis() + " ms";
        }
        if (is(UnresolvedAddressException.class) || is(UnknownHostException.class)) {
            return "the name of its host is not found";
        }
        if (is(NoRouteToHostException.class)) {
            return "there is no way to its host";
        }
        return refused() ? "the connection is refused" : shortened(Cause.of(failure));
    }

    private boolean is(Class<? extends Throwable> kind) {
        return cause(kind).isPresent();
    }

    private static String shortened(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return "the check breaks off (" + message.substring(0, Math.min(LONGEST, message.length())) + ")";
    }
}
