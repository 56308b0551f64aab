package io.kvrouter.http.turn;

import static io.kvrouter.http.testing.Eventually.eventually;
import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.header.Header;
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

/** The blocks that an answer fills while it streams. */
class TurnOutputTest {
    private static final ActorTestKit KIT = ActorTestKit.create();

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

    private SinkQueueWithCancel<ByteString> streaming() throws Exception {
        var events = new Header("Content-Type", "text/event-stream; charset=utf-8");
        world.upstream.at(url(A), FakeUpstream.response(200, worker.second(), events));
        return world.head(world.request()).entity().getDataBytes().runWith(Sink.queue(), KIT.system());
    }

    private void send(String text) {
        worker.first().offer(ByteString.fromString(text));
    }
}
