package io.kvrouter.bench.faults.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Sends bytes that may be a request or not, and sees how it ends. After a while without an answer it says that no more
 * will come: what is no whole request is over then.
 */
public final class OddClient {
    private static final int A_WHILE_MS = 2_000;
    private static final int PATIENCE_MS = 20_000;
    private static final int ENOUGH = 256 * 1024;

    /** How a connection ended. */
    public enum End {
        /** With an answer. */
        ANSWERED,
        /** The router closed or reset it. */
        CLOSED,
        /** The router waited, for more or for its worker, and closed it when it heard that no more comes. */
        WAITED,
        /** With a 500 of the router's own. */
        FAILED,
        /** Not at all. */
        STUCK
    }

    private OddClient() {}

    /** How it ended, and what was read. */
    public record Ended(End how, String answer) {}

    /** Sends them to this port of the loopback address. */
    public static Ended send(int port, byte[] request) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write(request);
            var read = new ByteArrayOutputStream();
            socket.setSoTimeout(A_WHILE_MS);
            boolean closed = ends(socket.getInputStream(), read);
            if (closed || read.size() > 0) {
                return judged(read);
            }
            socket.shutdownOutput();
            socket.setSoTimeout(PATIENCE_MS);
            boolean over =
                    ends(socket.getInputStream(), read); // what it says now it says to nobody: the client has left
            return new Ended(over ? End.WAITED : End.STUCK, "");
        } catch (IOException e) {
            return new Ended(End.CLOSED, "");
        }
    }

    /** Reads until the end, enough, or for too long. */
    private static boolean ends(InputStream in, ByteArrayOutputStream read) throws IOException {
        byte[] piece = new byte[4_096];
        try {
            int more = in.read(piece);
            while (more >= 0 && read.size() < ENOUGH) {
                read.write(piece, 0, more);
                if (whole(read)) {
                    return true;
                }
                more = in.read(piece);
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** Looks like the end of an answer: there is no use in waiting on a connection that is kept alive. */
    private static boolean whole(ByteArrayOutputStream read) {
        String text = read.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        boolean headOnly = text.contains("content-length: 0\r\n") || text.startsWith("http/1.1 204");
        return text.endsWith("}") || text.endsWith("0\r\n\r\n") || (headOnly && text.endsWith("\r\n\r\n"));
    }

    private static Ended judged(ByteArrayOutputStream read) {
        String text = read.toString(StandardCharsets.ISO_8859_1);
        boolean own = !text.contains("x-router-worker:");
        boolean failed = own && (text.startsWith("HTTP/1.1 500 ") || text.contains("internal_error"));
        return new Ended(failed ? End.FAILED : text.isEmpty() ? End.CLOSED : End.ANSWERED, text);
    }
}
