package io.kvrouter.sim.kv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** The sockets of one rank, a publisher and a router for replays, and its stream. Confined to the wire's thread. */
final class RankSockets {
    private static final byte[] EMPTY = {};
    private static final byte[] END = Sequenced.frame(-1);
    /** As vLLM's default: beyond it a subscriber that does not read loses batches. */
    private static final int UNREAD_BATCHES = 100_000;

    private final ZMQ.Socket publisher;
    private final ZMQ.Socket router;
    private final EventStream stream;
    private final String eventEndpoint;
    private final String replayEndpoint;
    private boolean closed;

    RankSockets(ZContext context, String host, KvRank rank) {
        publisher = context.createSocket(SocketType.PUB);
        router = context.createSocket(SocketType.ROUTER);
        publisher.setLinger(0);
        router.setLinger(0);
        publisher.setSndHWM(UNREAD_BATCHES);
        router.setSndHWM(0);
        try {
            eventEndpoint = bind(publisher, host, rank.eventPort());
            replayEndpoint = bind(router, host, rank.replayPort());
        } catch (UncheckedIOException e) {
            close();
            throw e;
        }
        var format = new BatchFormat(rank.ports().form(), rank.blockSize(), rank.rank());
        var replay = new ReplayBuffer(rank.ports().replayBatches());
        stream = new EventStream(format, replay, new SplittableRandom(rank.rank()), this::send);
    }

    String eventEndpoint() {
        return eventEndpoint;
    }

    String replayEndpoint() {
        return replayEndpoint;
    }

    EventStream stream() {
        return stream;
    }

    /** Lets a replay request end the selector's wait. */
    void register(Selector selector) throws IOException {
        router.getFD().register(selector, SelectionKey.OP_READ, this);
    }

    /** Answers all replay requests that wait. The socket tells of new ones only after it was read empty. */
    void answerReplays() {
        for (byte[] client = router.recv(ZMQ.DONTWAIT); client != null; client = router.recv(ZMQ.DONTWAIT)) {
            byte[] start = startOfReplay();
            if (start != null) {
                for (Sequenced batch : stream.replay(ByteBuffer.wrap(start).getLong())) {
                    replay(client, batch.sequenceFrame(), batch.payload());
                }
                replay(client, END, EMPTY);
            }
        }
    }

    void close() {
        closed = true;
        publisher.close();
        router.close();
    }

    /** The rest of a request is an empty frame and eight bytes; whatever else it is gets no answer. */
    private byte @Nullable [] startOfReplay() {
        byte @Nullable [] last = null;
        int frames = 0;
        while (router.hasReceiveMore()) {
            last = router.recv();
            frames++;
        }
        return frames == 2 && last != null && last.length == Long.BYTES ? last : null;
    }

    /** What an engine publishes after its worker was closed goes nowhere. */
    private void send(Sequenced batch) {
        if (closed) {
            return;
        }
        publisher.send(EMPTY, ZMQ.SNDMORE);
        publisher.send(batch.sequenceFrame(), ZMQ.SNDMORE);
        publisher.send(batch.payload(), 0);
    }

    private void replay(byte[] client, byte[] sequence, byte[] payload) {
        router.send(client, ZMQ.SNDMORE);
        router.send(EMPTY, ZMQ.SNDMORE);
        router.send(sequence, ZMQ.SNDMORE);
        router.send(payload, 0);
    }

    private static String bind(ZMQ.Socket socket, String host, int port) {
        try {
            socket.bind("tcp://" + host + ":" + (port == 0 ? "*" : port));
            return socket.getLastEndpoint();
        } catch (ZMQException e) {
            var cause = new IOException("port " + port + " for KV events: " + e.getMessage(), e);
            throw new UncheckedIOException(cause.getMessage(), cause);
        }
    }
}
