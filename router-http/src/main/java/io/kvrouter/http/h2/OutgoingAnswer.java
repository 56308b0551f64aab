package io.kvrouter.http.h2;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/** The answer on a stream, from its head to its end, which is written once. May be used from any thread. */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the future it was called on
final class OutgoingAnswer {
    private final Http2StreamChannel stream;
    private final Duration unread;
    private final Runnable whenOut;
    private volatile boolean complete;

    /**
     * @param unread how long the client may leave its end unread
     * @param whenOut is run when the last byte has gone out
     */
    OutgoingAnswer(Http2StreamChannel stream, Duration unread, Runnable whenOut) {
        this.stream = stream;
        this.unread = unread;
        this.whenOut = whenOut;
    }

    /** Whether its end is written, or on its way: a client that goes then misses nothing that is still made. */
    boolean complete() {
        return complete;
    }

    ChannelFuture head(Http2Headers head, boolean last) {
        complete = last;
        return noted(stream.write(new DefaultHttp2HeadersFrame(head, last)), last);
    }

    /** Done when the client's window and the socket have taken the bytes. */
    ChannelFuture write(ByteString bytes, boolean last) {
        complete = last;
        var data = Unpooled.wrappedBuffer(bytes.toArrayUnsafe());
        return noted(stream.writeAndFlush(new DefaultHttp2DataFrame(data, last)), last);
    }

    private ChannelFuture noted(ChannelFuture written, boolean last) {
        if (last) {
            var limit = stream.eventLoop().schedule(this::reset, unread.toMillis(), TimeUnit.MILLISECONDS);
            written.addListener(done -> {
                limit.cancel(false);
                if (done.isSuccess()) {
                    whenOut.run();
                }
            });
        }
        return written;
    }

    /** The answer is broken, or its client does not want to know its end. */
    void reset() {
        complete = true;
        stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    }

    /** Runs something when the stream is closed, however. */
    void whenClosed(Runnable task) {
        stream.closeFuture().addListener(closed -> task.run());
    }
}
