package io.kvrouter.sim.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy before one worker, whose connections fail as they are told. It knows which requests its faults met, by
 * their {@code x-request-id}, so that whoever sent them can tell caused failures from others. May be used from any
 * thread.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int BACKLOG = 1_024;

    private final InetSocketAddress target;
    private final Supplier<Fault> faults;
    private final Set<Passage> open = ConcurrentHashMap.newKeySet();
    private final Set<String> hit = ConcurrentHashMap.newKeySet();
    private final int port;
    private @Nullable Listening listening;

    private record Listening(ServerSocket socket, Thread acceptor) {}

    private FaultProxy(InetSocketAddress target, Supplier<Fault> faults) throws IOException {
        this.target = target;
        this.faults = faults;
        ServerSocket first = listen(0);
        this.port = first.getLocalPort();
        accepting(first);
    }

    /**
     * A proxy on a free port of the loopback address.
     *
     * @param faults gives each new connection its fault
     */
    public static FaultProxy before(URI worker, Supplier<Fault> faults) {
        try {
            return new FaultProxy(new InetSocketAddress(worker.getHost(), worker.getPort()), faults);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        var socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        return socket;
    }

    private synchronized void accepting(ServerSocket socket) {
        listening = new Listening(socket, Thread.ofVirtual().start(() -> acceptAll(socket)));
    }

    private void acceptAll(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> carry(client));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private void carry(Socket client) {
        try (Socket server = new Socket()) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target);
            var passage = new Passage(client, server, faults.get(), hit::add);
            open.add(passage);
            passage.run();
            open.remove(passage);
        } catch (IOException e) {
            try {
                client.close();
            } catch (IOException also) {
                // as good as closed
            }
        }
    }

    /** What to register with a router. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Connections that stand. */
    public int open() {
        return open.size();
    }

    /** Whether a fault met the request of this id. */
    public boolean met(String requestId) {
        return hit.contains(requestId);
    }

    /** Requests that faults have met. */
    public int met() {
        return hit.size();
    }

    /** As a worker that is killed: connects are refused from now on, and all connections are reset. */
    public synchronized void refuse() {
        Listening before = listening;
        listening = null;
        if (before != null) {
            stop(before);
        }
        resetAll();
    }

    /** The port is closed only when who accepts there has noticed. */
    private static void stop(Listening before) {
        try {
            before.socket().close();
            before.acceptor().join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Listens again, on the same port. */
    public synchronized void accept() {
        if (listening == null) {
            try {
                accepting(listen(port));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Resets every connection. */
    public void resetAll() {
        open.forEach(Passage::reset);
    }

    @Override
    public void close() {
        refuse();
    }
}
