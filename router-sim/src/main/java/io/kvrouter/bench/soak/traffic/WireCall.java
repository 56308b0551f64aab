package io.kvrouter.bench.soak.traffic;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** HTTP on a connection of its own, as far as a client cares to go: it can be left at any byte, on either way. */
final class WireCall implements AutoCloseable {
    /** A node that stands still says nothing: its clients give up. */
    static final int PATIENCE_MS = 5_000;

    private static final int CONNECT_MS = 2_000;
    private static final int HEX = 16;

    private final Socket socket;
    private final InputStream in;

    private boolean chunked;
    private int left;

    private WireCall(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Connects. */
    static WireCall to(URI node) throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MS);
            socket.connect(new InetSocketAddress(node.getHost(), node.getPort()), CONNECT_MS);
            return new WireCall(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends the first bytes of a request. */
    void send(byte[] request, int bytes) throws IOException {
        socket.getOutputStream().write(request, 0, bytes);
    }

    /** Reads the head of the answer, and tells its status. */
    int head() throws IOException {
        String first = line();
        chunked = false;
        left = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                left = Integer.parseInt(lower.substring(lower.indexOf(':') + 1).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = lower.contains("chunked");
            }
        }
        return Integer.parseInt(first.split(" ", 3)[1]);
    }

    /** The next part of the body; empty at its end. */
    byte[] part() throws IOException {
        if (!chunked) {
            byte[] whole = in.readNBytes(left);
            if (whole.length < left) {
                throw new EOFException("the answer breaks off");
            }
            left = 0;
            return whole;
        }
        int size = Integer.parseInt(line().split(";", 2)[0].strip(), HEX);
        byte[] part = in.readNBytes(size);
        if (part.length < size || !line().isEmpty()) {
            throw new EOFException("the answer breaks off");
        }
        return part;
    }

    /** The rest of the body, as text. */
    String rest() throws IOException {
        var text = new StringBuilder();
        for (byte[] part = part(); part.length > 0; part = part()) {
            text.append(new String(part, StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the answer breaks off");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    /** Leaves with a reset, as a process that is killed with bytes unread; to close is to leave in order. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
