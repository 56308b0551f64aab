package io.kvrouter.http.upstream.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.URI;
import org.junit.jupiter.api.Test;

class WorkerConnectionTest extends UpstreamCalls {
    /** Fails what is written, and says so to the writer only. */
    private static final class Unwritable extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
            promise.setFailure(new IllegalStateException("not written"));
        }
    }

    @Test
    void isClosedWhenItsRequestCanNotBeWritten() {
        var worker = URI.create("http://127.0.0.1:1");
        var decoder = new StrictDecoder(8_192);
        var channel = new EmbeddedChannel(new Unwritable(), decoder);
        var connection = new WorkerConnection(Target.of(worker), channel, decoder);
        channel.pipeline().addLast(connection);

        connection.send(
                new NettyCall(request(worker, "POST", "hello"), channel.eventLoop(), plane.upstream()),
                "POST",
                RequestBytes.of(request(worker, "POST", "hello")));
        channel.runPendingTasks();

        assertThat(channel.isOpen()).isFalse();
    }
}
