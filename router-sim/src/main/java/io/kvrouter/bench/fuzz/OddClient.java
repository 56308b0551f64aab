package io.kvrouter.bench.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * Sends bytes that may be a request or not, and sees how it ends. After a while without an answer it says that no more
 * will come: what is no whole request is over then.
 */
final class OddClient {
    private static final int A_WHILE_MS = 2_000;
    private static final int PATIENCE_MS = 20_000;
    private static final int ENOUGH = 256 * 1024;

    private OddClient() {}

    /** How it ended, and what was read, a character for a byte. */
    record Ended(End how, String answer) {}

    /** Sends them to this port of the loopback address. */
    static Ended send(int port, byte[] request, Dialect dialect) {
        var read = new ByteArrayOutputStream();
        End end;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write(request);
            end = end(socket, read, dialect);
        } catch (IOException e) {
            end = End.CLOSED;
        }
        return new Ended(
                dialect.failed(read.toByteArray()) ? End.FAILED : end, read.toString(StandardCharsets.ISO_8859_1));
    }

    private static End end(Socket socket, ByteArrayOutputStream read, Dialect dialect) throws IOException {
        socket.setSoTimeout(A_WHILE_MS);
        boolean closed = ends(socket.getInputStream(), read, dialect);
        if (dialect.answered(read.toByteArray())) {
            return End.ANSWERED;
        }
        if (closed) {
            return End.CLOSED;
        }
        socket.shutdownOutput();
        socket.setSoTimeout(PATIENCE_MS);
        return ends(socket.getInputStream(), new ByteArrayOutputStream(), dialect) ? End.WAITED : End.STUCK;
    }

    /** Reads until the end, enough, or for too long. */
    private static boolean ends(InputStream in, ByteArrayOutputStream read, Dialect dialect) throws IOException {
        byte[] piece = new byte[4_096];
        try {
            int more = in.read(piece);
            while (more >= 0 && read.size() < ENOUGH) {
                read.write(piece, 0, more);
                if (dialect.whole(read.toByteArray())) {
                    return true;
                }
                more = in.read(piece);
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
