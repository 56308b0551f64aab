package io.kvrouter.http.server;

import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBuilder;

/**
 * Where a server listens.
 *
 * @param port 0 = any free one
 * @param tls makes the server's side of a new connection; empty = plain HTTP
 */
public record Listening(String host, int port, Optional<Supplier<SSLEngine>> tls) {
    /** A server there, whose own messages of single connections go to {@link ConnectionLog}. */
    public ServerBuilder server(ActorSystem system) {
        ServerBuilder plain = Http.get(system).newServerAt(host, port).logTo(ConnectionLog.of(system));
        return tls.map(engines -> plain.enableHttps(ConnectionContext.httpsServer(engines::get)))
                .orElse(plain);
    }
}
