package io.kvrouter.bench.faults.client;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client's connection: writes requests, reads answers by their framing. For one thread at a time. */
public final class Wire implements AutoCloseable {
    private static final int MAX_HEAD = 64 * 1024;
    private static final int CONNECT_MS = 10_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    /** The head of an answer; the length is -1 where it comes in chunks. */
    public record Head(int status, String reason, long length) {}

    /** Connects to this port of the loopback address; reading waits so long at most. */
    public Wire(int port, int patienceMs) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(patienceMs);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
        in = new BufferedInputStream(socket.getInputStream(), 4_096);
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** No more requests will come. */
    public void endRequests() throws IOException {
        socket.shutdownOutput();
    }

    /** The next head that is no interim one. */
    public Head head() throws IOException {
        String line = line();
        String[] parts = line.split(" ", 3);
        if (parts.length < 2 || !line.startsWith("HTTP/1.1 ")) {
            throw new IOException("no status line");
        }
        int status = Integer.parseInt(parts[1]);
        String reason = "";
        long length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("x-router-reason:")) {
                reason = header.substring(header.indexOf(':') + 1).strip();
            } else if (lower.startsWith("content-length:")) {
                length =
                        Long.parseLong(header.substring(header.indexOf(':') + 1).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                length = -1;
            }
        }
        return status < 200 ? head() : new Head(status, reason, length);
    }

    /** Reads a body to its end; throws if that does not come. */
    public void body(Head head) throws IOException {
        if (head.length() >= 0) {
            skip(head.length());
            return;
        }
        for (long size = chunk(); size > 0; size = chunk()) {
            skip(size);
            line();
        }
        String trailer = line();
        while (!trailer.isEmpty()) {
            trailer = line();
        }
    }

    /** Reads some bytes of a body, fewer if fewer are there. */
    public void some(int bytes) throws IOException {
        if (in.read(new byte[bytes]) < 0) {
            throw new EOFException("closed");
        }
    }

    private long chunk() throws IOException {
        try {
            return Long.parseLong(line().split(";", 2)[0].strip(), 16);
        } catch (NumberFormatException e) {
            throw new IOException("no chunk", e);
        }
    }

    private void skip(long bytes) throws IOException {
        in.skipNBytes(bytes);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() > MAX_HEAD) {
                throw new EOFException("closed");
            }
            line.append((char) next);
        }
        int end = line.length();
        return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
    }

    /** Reads whatever comes until the other side ends it. */
    public String toEnd() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Ends it by a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
