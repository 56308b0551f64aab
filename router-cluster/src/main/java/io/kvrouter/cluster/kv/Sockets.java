package io.kvrouter.cluster.kv;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** How sockets to engines are set up. */
final class Sockets {
    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);

    /**
     * Messages that wait here unread. A publisher drops what does not fit into it, the network's buffers and its own
     * queue: that shows as a gap and is replayed.
     */
    private static final int HIGH_WATER = 4_096;

    private static final long MAX_MESSAGE = 64L << 20;
    private static final int FIRST_RECONNECT_MS = 200;
    private static final int LAST_RECONNECT_MS = 5_000;

    /**
     * JeroMQ 0.6.0 may stop to listen to a connection that was not made at once: its poller cancels the channel's key
     * after the engine took the channel over from the connecter. The end of the handshake's time heals that, which is
     * after 30 s by default.
     */
    private static final int HANDSHAKE_MS = 2_000;

    private Sockets() {}

    static ZMQ.Socket open(ZContext context, SocketType type) {
        ZMQ.Socket socket = context.createSocket(type);
        socket.setLinger(0);
        socket.setRcvHWM(HIGH_WATER);
        socket.setMaxMsgSize(MAX_MESSAGE);
        socket.setReconnectIVL(FIRST_RECONNECT_MS);
        socket.setReconnectIVLMax(LAST_RECONNECT_MS);
        socket.setHandshakeIvl(HANDSHAKE_MS);
        socket.setTCPKeepAlive(1);
        return socket;
    }

    /** Starts to connect; the socket tries for ever. Returns false where the address can't be used at all. */
    static boolean connect(ZMQ.Socket socket, String endpoint) {
        try {
            return socket.connect(endpoint);
        } catch (ZMQException | IllegalArgumentException e) {
            LOG.warn("KV events: can't connect to {}: {}", endpoint, e.getMessage());
            return false;
        }
    }
}
