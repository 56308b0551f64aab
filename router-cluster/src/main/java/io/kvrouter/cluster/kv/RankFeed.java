package io.kvrouter.cluster.kv;

import io.kvrouter.kv.fleet.RankSource;
import io.kvrouter.kv.stream.RankStream;
import io.kvrouter.kv.stream.StreamState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * The sockets of one rank: a subscription that reconnects for ever, and while a replay runs a dealer of its own, so that
 * late answers to an earlier question can't be taken for those to a later one.
 */
final class RankFeed {
    private static final Logger LOG = LoggerFactory.getLogger(RankFeed.class);

    private static final byte[] NO_BYTES = {};
    private static final long END = -1;
    private static final int FRAMES = 3;

    /** Messages that one socket may deliver before the next has its turn. */
    private static final int TURN = 256;

    private final RankSource source;
    private final RankStream stream;
    private final List<byte[]> frames = new ArrayList<>();
    private ZMQ.@Nullable Socket subscription;
    private ZMQ.@Nullable Socket replay;
    private int subscriptionAt = -1;
    private int replayAt = -1;
    private StreamState said = StreamState.SYNCING;
    private volatile boolean broken; // set by the library's thread before it connects again

    RankFeed(RankSource source, RankStream stream) {
        this.source = source;
        this.stream = stream;
    }

    void connect(ZContext context) {
        ZMQ.Socket socket = Sockets.open(context, SocketType.SUB);
        socket.subscribe(NO_BYTES);
        socket.setEventHook(event -> broken = true, ZMQ.EVENT_DISCONNECTED);
        subscription = socket;
        Sockets.connect(socket, source.endpoint());
        ask(context, KvEventSources.clock());
    }

    void register(ZMQ.Poller poller) {
        subscriptionAt = subscription == null ? -1 : poller.register(subscription, ZMQ.Poller.POLLIN);
        replayAt = replay == null ? -1 : poller.register(replay, ZMQ.Poller.POLLIN);
    }

    /** Reads what came, the replay first: it makes room for what waits behind it. Returns whether anything came. */
    boolean read(ZMQ.Poller poller, long now) {
        boolean answered = replayAt >= 0 && poller.pollin(replayAt) && replay != null && readReplay(replay, now);
        boolean published = subscriptionAt >= 0
                && poller.pollin(subscriptionAt)
                && subscription != null
                && readLive(subscription, now);
        return answered || published;
    }

    private boolean readLive(ZMQ.Socket socket, long now) {
        int read = 0;
        while (read < TURN && receive(socket)) {
            read++;
            noticeBreak();
            if (frames.size() == FRAMES && frames.get(1).length == Long.BYTES) {
                stream.live(sequence(frames.get(1)), frames.get(2), now);
            } else {
                stream.unreadable(now);
            }
        }
        return read > 0;
    }

    /** Messages of the new connection are read after this; some of the old one's may be, and are asked for again. */
    private void noticeBreak() {
        if (broken) {
            broken = false;
            stream.interrupted();
        }
    }

    private boolean readReplay(ZMQ.Socket socket, long now) {
        int read = 0;
        while (read < TURN && receive(socket)) {
            read++;
            int last = frames.size() - 1;
            if (last < 1 || frames.get(last - 1).length != Long.BYTES) {
                stream.unreadable(now);
            } else if (sequence(frames.get(last - 1)) == END) {
                stream.replayEnded(now);
                return true;
            } else {
                stream.replayed(sequence(frames.get(last - 1)), frames.get(last), now);
            }
        }
        return read > 0;
    }

    /** Takes one message, if there is one, into {@link #frames}. */
    private boolean receive(ZMQ.Socket socket) {
        frames.clear();
        byte[] frame = socket.recv(ZMQ.DONTWAIT);
        while (frame != null) {
            frames.add(frame);
            frame = socket.hasReceiveMore() ? socket.recv() : null;
        }
        return !frames.isEmpty();
    }

    private static long sequence(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    /** Asks for a replay, if the stream wants one. Returns whether the sockets are others now. */
    boolean ask(ZContext context, long now) {
        noticeBreak();
        long start = stream.ask(now);
        tell(stream.state());
        if (start == RankStream.NONE || source.replay().isEmpty()) {
            return false;
        }
        closeReplay();
        ZMQ.Socket socket = Sockets.open(context, SocketType.DEALER);
        replay = socket;
        if (Sockets.connect(socket, source.replay().get())) {
            socket.send(NO_BYTES, ZMQ.SNDMORE | ZMQ.DONTWAIT);
            socket.send(ByteBuffer.allocate(Long.BYTES).putLong(start).array(), ZMQ.DONTWAIT);
        }
        return true;
    }

    /** One line when something is wrong, and one when it is right again: never one for each event. */
    private void tell(StreamState now) {
        if (now == said || now == StreamState.SYNCING) {
            return;
        }
        if (now != StreamState.LIVE) {
            LOG.warn(
                    "KV events of worker {} rank {} at {}: {}",
                    source.worker(),
                    source.rank(),
                    source.endpoint(),
                    now.text());
        } else if (said != StreamState.SYNCING) {
            LOG.info("KV events of worker {} rank {} are followed again", source.worker(), source.rank());
        }
        said = now;
    }

    private void closeReplay() {
        if (replay != null) {
            replay.close();
            replay = null;
        }
    }

    void disconnect() {
        closeReplay();
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }

    void act(Consumer<RankStream> action) {
        action.accept(stream);
    }

    /** Disconnects, and takes the rank's blocks out of the index. */
    void close() {
        disconnect();
        stream.close();
    }
}
