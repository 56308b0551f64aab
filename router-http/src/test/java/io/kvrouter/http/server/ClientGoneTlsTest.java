package io.kvrouter.http.server;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.TestAuthority;
import io.kvrouter.http.tls.TestFaces;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.io.TempDir;

/** The same by TLS on both sides. */
class ClientGoneTlsTest extends ClientGoneTest {
    @TempDir
    private Path directory;

    @Override
    Optional<Supplier<SSLEngine>> tls() throws Exception {
        var own = AUTHORITY.issue("localhost");
        return Optional.of(TestFaces.server(
                TestAuthority.certificate(directory, own), TestAuthority.key(directory, own), Optional.empty()));
    }

    @Override
    MockWorker worker(MockWorker.Script script) throws Exception {
        return new MockWorker(script, AUTHORITY.context(AUTHORITY.issue("127.0.0.1")));
    }

    @Override
    Peer connect(int port) throws Exception {
        return Peer.connect(port, AUTHORITY.context());
    }

    @Override
    Peer connectNarrow(int port) throws Exception {
        return connect(port);
    }
}
