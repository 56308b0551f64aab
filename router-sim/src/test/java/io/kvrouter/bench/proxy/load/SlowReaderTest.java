package io.kvrouter.bench.proxy.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.bench.proxy.peer.Event;
import io.kvrouter.bench.proxy.peer.MockEngine;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers that do not read, and an engine that sends as fast as it can. */
class SlowReaderTest {
    private static final int READERS = 4;
    private static final int EVENTS = 500_000; // 100 MB: the kernel's own buffers may grow to some 40 MB on the way
    private static final int RECEIVE_BUFFER = 8 * 1024;
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";
    private static final long MOST_HEAP = 32 << 20; // a tenth of what would have to be kept if nothing held the engine

    private final MockEngine engine = MockEngine.start();
    private final RouterHere router = RouterHere.before(engine.url());
    private final List<Socket> readers = new ArrayList<>();

    @AfterEach
    void end() throws IOException {
        for (Socket reader : readers) {
            reader.close();
        }
        router.close();
        engine.close();
    }

    @Test
    void holdTheEngineUpAndTakeNoMemory() throws IOException {
        long before = heap();

        for (int i = 0; i < READERS; i++) {
            readers.add(ask(router.url()));
        }
        long sent = whenItStands();

        assertThat(sent).isBetween((long) READERS, READERS * EVENTS / 2L);
        assertThat(heap() - before).isLessThan(MOST_HEAP);
        readRest(readers.getFirst());
        RouterHere.await(() -> engine.counts().finished() == 1);
    }

    private static Socket ask(URI url) throws IOException {
        var to = new Contender("slow", url, () -> Duration.ZERO, Contender.Ids.NEW);
        var socket = new Socket();
        socket.setReceiveBufferSize(RECEIVE_BUFFER);
        socket.setSoTimeout((int) TimeUnit.MINUTES.toMillis(1));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort()));
        socket.getOutputStream().write(new Requests(to, Requests.STREAM, Requests.events(EVENTS)).next());
        return socket;
    }

    /** Events that the engine has sent when it sends no more. */
    private long whenItStands() {
        long[] last = {-1};
        RouterHere.await(() -> {
            long now = engine.counts().events();
            boolean stands = now >= READERS && now == last[0];
            last[0] = now;
            LockSupport.parkNanos(stands ? 0 : TimeUnit.MILLISECONDS.toNanos(700));
            return stands;
        });
        return last[0];
    }

    /** With room for more than a segment again: in 8 KiB the kernel can come to send one each 50 ms. */
    private static void readRest(Socket reader) throws IOException {
        reader.setReceiveBufferSize(1 << 20);
        InputStream input = reader.getInputStream();
        byte[] buffer = new byte[1 << 16];
        long read = 0;
        for (String tail = ""; !tail.endsWith(LAST_CHUNK); ) {
            int count = input.read(buffer);
            assertThat(count).as("bytes before the end of the answer").isPositive();
            read += count;
            int from = Math.max(0, count - LAST_CHUNK.length());
            tail += new String(buffer, from, count - from, StandardCharsets.ISO_8859_1);
            tail = tail.substring(Math.max(0, tail.length() - LAST_CHUNK.length()));
        }
        assertThat(read).isGreaterThan((long) EVENTS * Event.BYTES);
    }

    private static long heap() {
        var memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
