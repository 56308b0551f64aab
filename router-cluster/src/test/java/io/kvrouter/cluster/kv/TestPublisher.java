package io.kvrouter.cluster.kv;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Publishes batches as vLLM does: a PUB socket, and a ROUTER that replays the last ones. */
@NullMarked
final class TestPublisher implements AutoCloseable {
    private static final byte[] END = ByteBuffer.allocate(8).putLong(-1).array();
    private static final byte[] EMPTY = {};

    private final ZContext context = new ZContext();
    private final BlockingQueue<Runnable> orders = new LinkedBlockingQueue<>();
    private final List<byte[]> batches = new ArrayList<>(); // of the publisher's thread
    private final AtomicInteger questions = new AtomicInteger();
    private final ZMQ.Socket pub = context.createSocket(SocketType.PUB);
    private final ZMQ.Socket router = context.createSocket(SocketType.ROUTER);
    private final Thread thread;
    private final int port;
    private final int replayPort;
    private final boolean withTopic;
    private volatile int forgotten;
    private volatile boolean stopped;

    private TestPublisher(int port, int replayPort, boolean withTopic) {
        this.withTopic = withTopic;
        pub.setLinger(0);
        router.setLinger(0);
        pub.setSndHWM(100_000);
        router.setSndHWM(100_000);
        this.port = bind(pub, port);
        this.replayPort = bind(router, replayPort);
        thread = new Thread(this::run, "test-publisher");
        thread.start();
    }

    static TestPublisher start() {
        return new TestPublisher(0, 0, false);
    }

    /** Answers replays with the topic, as newer engines do. */
    static TestPublisher startWithTopic() {
        return new TestPublisher(0, 0, true);
    }

    /** A new engine at the ports of an old one. */
    TestPublisher restarted() {
        return new TestPublisher(port, replayPort, withTopic);
    }

    private static int bind(ZMQ.Socket socket, int port) {
        if (port == 0) {
            return socket.bindToRandomPort("tcp://127.0.0.1");
        }
        socket.bind("tcp://127.0.0.1:" + port);
        return port;
    }

    String endpoint() {
        return "tcp://127.0.0.1:" + port;
    }

    String replayEndpoint() {
        return "tcp://127.0.0.1:" + replayPort;
    }

    /** Publishes a batch; the number of it is told by how many there were. */
    void publish(byte[] payload) {
        orders.add(() -> send(payload, true));
    }

    /** Nobody gets it but by a replay. */
    void lose(byte[] payload) {
        orders.add(() -> send(payload, false));
    }

    /** The oldest batches can't be replayed any more. */
    void forget(int count) {
        forgotten = count;
    }

    /** Sends frames as they are. */
    void sendRaw(byte[]... frames) {
        orders.add(() -> {
            for (int i = 0; i < frames.length; i++) {
                pub.send(frames[i], i < frames.length - 1 ? ZMQ.SNDMORE : 0);
            }
        });
    }

    /** Replays that were asked for. */
    int questions() {
        return questions.get();
    }

    private void send(byte[] payload, boolean arrives) {
        if (arrives) {
            pub.sendMore("kv-events");
            pub.sendMore(number(batches.size()));
            pub.send(payload);
        }
        batches.add(payload);
    }

    private static byte[] number(long sequence) {
        return ByteBuffer.allocate(8).putLong(sequence).array();
    }

    private void run() {
        try (ZMQ.Poller poller = context.createPoller(1)) {
            poller.register(router, ZMQ.Poller.POLLIN);
            while (!stopped) {
                poller.poll(2);
                if (poller.pollin(0)) {
                    replay();
                }
                // As engines do, it looks for questions between any two batches, not only after a burst.
                for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
                    order.run();
                    if (poller.poll(0) > 0) {
                        replay();
                    }
                }
            }
        }
        pub.close();
        router.close();
    }

    private void replay() {
        byte[] client = router.recv();
        router.recv();
        long start = ByteBuffer.wrap(router.recv()).getLong();
        questions.incrementAndGet();
        for (int i = Math.max(forgotten, (int) start); i < batches.size(); i++) {
            answer(client, number(i), batches.get(i));
        }
        answer(client, END, EMPTY);
    }

    private void answer(byte[] client, byte[] sequence, byte[] payload) {
        List<byte[]> frames = new ArrayList<>(List.of(client, EMPTY));
        if (withTopic) {
            frames.add(payload.length == 0 ? EMPTY : "kv-events".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        frames.add(sequence);
        frames.add(payload);
        for (int i = 0; i < frames.size(); i++) {
            router.send(frames.get(i), i < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        context.close();
    }
}
