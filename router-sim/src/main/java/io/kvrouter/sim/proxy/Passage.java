package io.kvrouter.sim.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** One connection through the proxy, and its fault. A thread carries each direction. */
final class Passage {
    private static final int PIECE = 16 * 1024;
    private static final int GARBAGE_BYTES = 64;
    private static final long BETWEEN_DRIPS_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final Socket client;
    private final Socket server;
    private final Fault fault;
    private final Consumer<String> hit;
    private final RequestIds ids = new RequestIds();
    private boolean broken;

    /**
     * A passage that is open at both ends.
     *
     * @param hit is told the id of each request that the fault met
     */
    Passage(Socket client, Socket server, Fault fault, Consumer<String> hit) {
        this.client = client;
        this.server = server;
        this.fault = fault;
        this.hit = hit;
    }

    /** Carries until both ends are closed. */
    void run() {
        Thread up = Thread.ofVirtual().start(this::requests);
        answers();
        try {
            up.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    private void requests() {
        byte[] piece = new byte[PIECE];
        try {
            for (int read = client.getInputStream().read(piece); read >= 0; ) {
                if (passes(piece, read)) {
                    server.getOutputStream().write(piece, 0, read);
                }
                read = client.getInputStream().read(piece);
            }
        } catch (IOException e) {
            // the other side left, as it may
        }
        close();
    }

    /** Requests on a connection that has failed already are met by its fault too. */
    private synchronized boolean passes(byte[] piece, int length) {
        if (ids.see(piece, length) && broken) {
            hit.accept(ids.latest());
        }
        return !broken || fault.kind() == Fault.Kind.DRIP;
    }

    private void answers() {
        byte[] piece = new byte[PIECE];
        long left = fault.afterBytes();
        try {
            for (int read = server.getInputStream().read(piece); read >= 0; ) {
                int whole = (int) Math.min(read, left);
                client.getOutputStream().write(piece, 0, whole);
                left -= whole;
                if (left == 0 && whole < read) {
                    breaks();
                    fail(piece, whole, read);
                }
                read = server.getInputStream().read(piece);
            }
            if (fault.kind() != Fault.Kind.STALL) {
                close();
            }
        } catch (IOException e) {
            if (fault.kind() != Fault.Kind.STALL || !broken()) {
                close();
            }
        }
    }

    private void fail(byte[] piece, int from, int to) throws IOException {
        OutputStream out = client.getOutputStream();
        switch (fault.kind()) {
            case NONE -> out.write(piece, from, to - from);
            case CUT -> close();
            case RESET -> reset();
            case STALL -> {} // what comes from now on is swallowed
            case GARBAGE -> {
                byte[] garbage = new byte[GARBAGE_BYTES];
                new Random(from).nextBytes(garbage);
                out.write(garbage);
                close();
            }
            case DRIP -> {
                for (int i = from; i < to; i++) {
                    out.write(piece, i, 1);
                    LockSupport.parkNanos(BETWEEN_DRIPS_NANOS);
                }
            }
            case HALF_CLOSE -> client.shutdownOutput();
        }
    }

    private synchronized void breaks() {
        if (!broken) {
            broken = true;
            hit.accept(ids.latest());
        }
    }

    private synchronized boolean broken() {
        return broken;
    }

    /** From outside: both ends are reset. */
    void reset() {
        breaks();
        try {
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed already
        }
        close();
    }

    private void close() {
        try (client;
                server) {
            // both
        } catch (IOException e) {
            // as good as closed
        }
    }
}
