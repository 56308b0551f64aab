package io.kvrouter.http.server;

import io.kvrouter.http.tls.FaceTls;
import java.util.Optional;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBuilder;

/**
 * Where a server listens.
 *
 * @param port 0 = any free one
 * @param tls by which it is spoken to; empty = by plain HTTP
 */
public record Listening(String host, int port, Optional<FaceTls> tls) {
    /** By plain HTTP. */
    public static Listening plain(String host, int port) {
        return new Listening(host, port, Optional.empty());
    }

    /** A server there, whose own messages of single connections go to {@link ConnectionLog}. */
    public ServerBuilder server(ActorSystem system) {
        ServerBuilder plain = Http.get(system).newServerAt(host, port).logTo(ConnectionLog.of(system));
        return tls.map(face -> plain.enableHttps(ConnectionContext.httpsServer(face::serverEngine)))
                .orElse(plain);
    }
}
