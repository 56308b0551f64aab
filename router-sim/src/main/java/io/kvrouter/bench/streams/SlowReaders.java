package io.kvrouter.bench.streams;

import io.kvrouter.bench.proxy.load.Contender;
import io.kvrouter.bench.proxy.load.EngineCounts;
import io.kvrouter.bench.proxy.load.Requests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Clients that ask for a long stream, as fast as it comes, and read nothing of it. */
final class SlowReaders implements AutoCloseable {
    /** 1 GB a stream: more than anything on its way could hold. */
    static final int EVENTS = 5_000_000;

    private static final int RECEIVE_BUFFER = 8 * 1024;
    private static final long BETWEEN_LOOKS_MS = 1_000;
    private static final int LONGEST_S = 120;

    private final List<Socket> readers = new ArrayList<>();

    SlowReaders(Contender to, int count) throws IOException {
        var requests = new Requests(to, Requests.STREAM, Requests.events(EVENTS));
        for (int i = 0; i < count; i++) {
            var reader = new Socket();
            readers.add(reader);
            reader.setReceiveBufferSize(RECEIVE_BUFFER);
            reader.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), to.url().getPort()));
            reader.getOutputStream().write(requests.next());
        }
    }

    /** Events that the engine could send until nothing moved any more. */
    long whenNothingMoves(EngineCounts engine) throws InterruptedException {
        long begun = engine.now().events();
        long last = -1;
        for (int look = 0; look < LONGEST_S; look++) {
            long now = engine.now().events();
            if (now == last && now > begun) {
                break;
            }
            last = now;
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
        }
        return last;
    }

    @Override
    public void close() throws IOException {
        for (Socket reader : readers) {
            reader.close();
        }
    }
}
