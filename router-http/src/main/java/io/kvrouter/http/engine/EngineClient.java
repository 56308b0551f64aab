package io.kvrouter.http.engine;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** Makes clients for what a node asks engines besides serving requests. */
public final class EngineClient {
    private static final int IDLE_S = 30;

    private EngineClient() {}

    /**
     * A client with a thread per core at most. By default there is one for each answer that comes in at a time: with a
     * thousand engines that is hundreds, which leave nothing to the threads that serve requests and heartbeats.
     */
    public static HttpClient create(Duration connectTimeout, SSLContext tls) {
        var count = new AtomicInteger();
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        var pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_S,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> Thread.ofPlatform()
                        .daemon()
                        .name("kvrouter-engine-client-" + count.incrementAndGet())
                        .unstarted(task));
        pool.allowCoreThreadTimeOut(true);
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(pool)
                .sslContext(tls)
                .connectTimeout(connectTimeout)
                .build();
    }
}
