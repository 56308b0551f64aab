package io.kvrouter.http.turn;

import static io.kvrouter.http.testing.Eventually.eventually;
import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import java.time.Duration;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is seen of an answer while it streams: its first content, and the blocks that it fills. */
class TurnOutputTest {
    private static final ActorTestKit KIT = ActorTestKit.create();
    private static final Header EVENTS = new Header("Content-Type", "text/event-stream; charset=utf-8");

    private final TurnWorld world = new TurnWorld(KIT.system());
    private final Pair<BoundedSourceQueue<ByteString>, Source<ByteString, NotUsed>> worker =
            Source.<ByteString>queue(16).preMaterialize(KIT.system());

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void theTokensThatStreamAreToldAsBlocksFillIfTheyAreCounted() throws Exception {
        world.countingOutput();
        var client = streaming();

        send("data: a\n\n".repeat(15));
        client.pull().toCompletableFuture().join();
        assertThat(world.desk.outputs()).isEmpty();
        send("data: b\n\ndata: c\n\n");
        client.pull().toCompletableFuture().join();

        assertThat(world.desk.outputs()).containsExactly(17L);
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    @Test
    void theTokensThatStreamAreNotCountedByDefault() throws Exception {
        var client = streaming();

        send("data: a\n\n".repeat(40));
        client.pull().toCompletableFuture().join();

        assertThat(world.desk.outputs()).isEmpty();
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    @ParameterizedTest
    @ValueSource(strings = {": data: x\n\n", "event: data:\nid: data:\n\n", "database\n", "dat", "\r\n: ping\r\n\r\n"})
    void whatIsNoLineOfDataIsNoContent(String text) throws Exception {
        var client = streaming();

        send(text);
        client.pull().toCompletableFuture().join();
        assertThat(world.desk.prefills()).isZero();
        send("\rdata:x\n\n");
        client.pull().toCompletableFuture().join();

        assertThat(world.desk.prefills()).isEqualTo(1);
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    @Test
    void aLineOfDataIsFoundHoweverItIsCut() throws Exception {
        var client = streaming();

        for (String part : new String[] {"event: x\nda", "t", "a:"}) {
            assertThat(world.desk.prefills()).isZero();
            send(part);
            client.pull().toCompletableFuture().join();
        }

        assertThat(world.desk.prefills()).isEqualTo(1);
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    @Test
    void aMediaTypeIsTheSameInCapitals() throws Exception {
        var client = streaming(new Header("Content-Type", "Text/Event-Stream;charset=UTF-8"));

        send(": still waiting\n\n");
        client.pull().toCompletableFuture().join();
        assertThat(world.desk.prefills()).isZero();
        worker.first().fail(new UpstreamException(UpstreamFailure.TRUNCATED, url(A), null));

        assertThat(client.pull().toCompletableFuture().join().orElseThrow().utf8String())
                .contains("event: error");
        client.cancel();
    }

    @Test
    void compressedEventsAreNeitherReadNorAddedTo() throws Exception {
        var client = streaming(EVENTS, new Header("Content-Encoding", "gzip"));

        send("\u001f");
        client.pull().toCompletableFuture().join();
        assertThat(world.desk.prefills()).isEqualTo(1);
        worker.first().fail(new UpstreamException(UpstreamFailure.TRUNCATED, url(A), null));

        assertThat(client.pull().toCompletableFuture()).failsWithin(Duration.ofSeconds(20));
    }

    private SinkQueueWithCancel<ByteString> streaming() throws Exception {
        return streaming(EVENTS);
    }

    private SinkQueueWithCancel<ByteString> streaming(Header... headers) throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(200, worker.second(), headers));
        return world.head(world.request()).entity().getDataBytes().runWith(Sink.queue(), KIT.system());
    }

    private void send(String text) {
        worker.first().offer(ByteString.fromString(text));
    }
}
