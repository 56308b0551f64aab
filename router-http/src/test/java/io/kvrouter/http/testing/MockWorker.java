package io.kvrouter.http.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/** A worker that behaves as a script says, connection by connection. */
public final class MockWorker implements AutoCloseable {
    /** What the worker does on one connection. */
    @FunctionalInterface
    public interface Script {
        void run(Peer peer) throws Exception;
    }

    private final String scheme;
    private final ServerSocket server;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Peer> peers = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private volatile Script script;
    private volatile @Nullable Throwable failure;

    public MockWorker(Script script) throws IOException {
        this(script, 0);
    }

    /** A worker at that port. */
    public MockWorker(Script script, int port) throws IOException {
        this(script, "http", new ServerSocket(port, 500, InetAddress.getLoopbackAddress()));
    }

    /** A worker that is spoken to by TLS. */
    public MockWorker(Script script, SSLContext tls) throws IOException {
        this(
                script,
                "https",
                tls.getServerSocketFactory().createServerSocket(0, 500, InetAddress.getLoopbackAddress()));
    }

    private MockWorker(Script script, String scheme, ServerSocket server) {
        this.script = script;
        this.scheme = scheme;
        this.server = server;
        threads.add(Thread.ofVirtual().start(this::accept));
    }

    /** Answers every request of every connection with this text. */
    public static MockWorker answering(String response) throws IOException {
        return new MockWorker(peer -> {
            while (true) {
                peer.readMessage();
                peer.send(response);
            }
        });
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                accepted.incrementAndGet();
                Peer peer = new Peer(socket);
                peers.add(peer);
                threads.add(Thread.ofVirtual().start(() -> serve(peer)));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Peer peer) {
        try (peer) {
            script.run(peer);
        } catch (IOException e) {
            // the other side left, as it may
        } catch (Exception | AssertionError e) {
            failure = e;
        } finally {
            finished.incrementAndGet();
        }
    }

    public void follow(Script next) {
        script = next;
    }

    public URI url() {
        return URI.create(scheme + "://127.0.0.1:" + port());
    }

    public int port() {
        return server.getLocalPort();
    }

    public int accepted() {
        return accepted.get();
    }

    /** From now on clients must show a certificate. */
    public MockWorker demandCertificates() {
        ((SSLServerSocket) server).setNeedClientAuth(true);
        return this;
    }

    /** Connections whose script has ended, for example because it saw the close that it waited for. */
    public int finished() {
        return finished.get();
    }

    public @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Peer peer : peers) {
                peer.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
