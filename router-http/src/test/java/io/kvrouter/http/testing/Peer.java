package io.kvrouter.http.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.apache.pekko.util.ByteString;

/** One end of a TCP connection, with the words in which tests speak about it. */
public final class Peer implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    Peer(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
    }

    public static Peer connect(int port) throws IOException {
        return new Peer(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** One that speaks TLS. */
    public static Peer connect(int port, SSLContext tls) throws IOException {
        return new Peer(tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port));
    }

    /** A peer with small buffers, so that they are soon full. */
    public static Peer connectNarrow(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(8 * 1024);
        socket.setSendBufferSize(8 * 1024);
        socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new Peer(socket);
    }

    /** A text block as it goes over the wire. */
    public static String crlf(String text) {
        return text.replace("\n", "\r\n");
    }

    public Socket socket() {
        return socket;
    }

    public Peer send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    public Peer send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Everything up to and with the delimiter. */
    public String readUntil(String delimiter) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] end = delimiter.getBytes(StandardCharsets.ISO_8859_1);
        while (!endsWith(read.toByteArray(), end)) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + read.toString(StandardCharsets.UTF_8));
            }
            read.write(next);
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    private static boolean endsWith(byte[] bytes, byte[] end) {
        int from = bytes.length - end.length;
        return from >= 0 && java.util.Arrays.equals(bytes, from, bytes.length, end, 0, end.length);
    }

    public String readHead() throws IOException {
        return readUntil("\r\n\r\n");
    }

    public byte[] readBytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    /** A whole message whose body has a stated length. */
    public Message readMessage() throws IOException {
        String head = readHead();
        int length = 0;
        for (String line : head.split("\r\n", -1)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return new Message(head, ByteString.fromArrayUnsafe(readBytes(length)));
    }

    /** Reads to the end; tells whether it was a reset. */
    public boolean endsByReset() throws IOException {
        try {
            in.readAllBytes();
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Reads to the clean end. */
    public String readToEnd() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Waits until the other side has closed or reset. */
    public void awaitClosed() throws IOException {
        endsByReset();
    }

    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A message: its head as text, its body as bytes. */
    public record Message(String head, ByteString body) {
        public String text() {
            return body.utf8String();
        }
    }
}
