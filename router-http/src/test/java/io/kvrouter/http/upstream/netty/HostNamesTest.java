package io.kvrouter.http.upstream.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.http.loop.EventLoops;
import io.kvrouter.http.testing.TestAuthority;
import io.kvrouter.http.upstream.UpstreamSettings;
import io.netty.channel.ConnectTimeoutException;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostNamesTest extends UpstreamCalls {
    private final CountDownLatch silence = new CountDownLatch(1);
    private final AtomicInteger lookups = new AtomicInteger();
    private final HostNames names = new HostNames(this::address);

    @AfterEach
    void endSilence() {
        silence.countDown();
    }

    private InetAddress address(String host) {
        lookups.incrementAndGet();
        if (host.equals("silent")) {
            try {
                silence.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else if (host.equals("broken")) {
            throw new IllegalStateException("broken");
        }
        return InetAddress.getLoopbackAddress();
    }

    private Throwable failure(String host) throws Exception {
        var config = ConfigFactory.parseString("kvrouter.upstream.connect-timeout = 300 ms")
                .withFallback(plane.system().settings().config());
        var loops = EventLoops.of(plane.system());
        var connector = new Connector(loops, UpstreamSettings.from(config), TestAuthority.platform(), names);
        Future<WorkerConnection> opening =
                connector.open(new Target(host, 1, false), loops.all().getFirst());
        assertThat(opening.await(20, TimeUnit.SECONDS)).isTrue();
        return opening.cause();
    }

    @Test
    void theTimeToConnectIsOverThoughTheNameIsNotFoundYet() throws Exception {
        assertThat(failure("silent")).isInstanceOf(ConnectTimeoutException.class);
    }

    @Test
    void aLookUpThatBreaksFailsTheConnect() throws Exception {
        assertThat(failure("broken")).hasMessage("broken");
    }

    @Test
    void aNameOfWhichNothingIsHeardKeepsNoOtherBack() throws Exception {
        List<CompletionStage<InetAddress>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(names.find("silent"));
        }

        assertThat(get(names.find("other"))).isEqualTo(InetAddress.getLoopbackAddress());
        silence.countDown();
        for (CompletionStage<InetAddress> one : waiting) {
            assertThat(get(one)).isEqualTo(InetAddress.getLoopbackAddress());
        }
        assertThat(lookups).hasValue(2);
    }
}
