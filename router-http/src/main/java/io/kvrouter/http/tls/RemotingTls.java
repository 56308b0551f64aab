package io.kvrouter.http.tls;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import scala.Option;

/**
 * Remoting by TLS. Both sides show a certificate that the roots have issued, and that is all: who has one is a node. So
 * names are not looked at, which for nodes come and go.
 */
final class RemotingTls implements SSLEngineProvider {
    private final FaceTls tls;

    private RemotingTls(FaceTls tls) {
        this.tls = tls;
    }

    /** How an actor system is given it. */
    static SSLEngineProviderSetup setup(FaceTls tls) {
        return SSLEngineProviderSetup.create(system -> new RemotingTls(tls));
    }

    @Override
    public SSLEngine createServerSSLEngine(String hostname, int port) {
        return tls.serverEngine();
    }

    @Override
    public SSLEngine createClientSSLEngine(String hostname, int port) {
        return tls.clientEngine();
    }

    @Override
    public Option<Throwable> verifyClientSession(String hostname, SSLSession session) {
        return Option.empty();
    }

    @Override
    public Option<Throwable> verifyServerSession(String hostname, SSLSession session) {
        return Option.empty();
    }
}
