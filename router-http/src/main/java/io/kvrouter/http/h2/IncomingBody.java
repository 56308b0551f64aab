package io.kvrouter.http.h2;

import io.kvrouter.http.feed.BodyFeed;
import io.kvrouter.http.feed.FeedSource;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The body of a request, from its frames to whoever reads it. While the reader lags, the client's window is not opened
 * again. Frames are copied together, so that many small ones take no more room than few large ones.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of a stream that has ended no window matters
final class IncomingBody {
    private final Http2StreamChannel stream;
    private final BodyFeed feed = new BodyFeed(this::resume);
    private int held; // bytes that the client may not send again yet
    private boolean ended;

    IncomingBody(Http2StreamChannel stream) {
        this.stream = stream;
    }

    /** Takes over a frame's bytes; the caller keeps the frame. */
    void take(Http2DataFrame frame) {
        held += frame.initialFlowControlledBytes();
        boolean more = !frame.content().isReadable() || feed.offer(frame.content());
        if (more || frame.isEndStream()) {
            open();
        }
        if (frame.isEndStream()) {
            end();
        }
    }

    /** Also of one that has ended, since its bytes count in the connection's window. */
    private void open() {
        if (held > 0) {
            stream.write(new DefaultHttp2WindowUpdateFrame(held));
            held = 0;
        }
    }

    private void resume() {
        stream.eventLoop().execute(() -> {
            open();
            stream.flush();
        });
    }

    void end() {
        ended = true;
        feed.end(null);
    }

    /** The rest will not come. */
    void breakOff() {
        feed.end(new EntityStreamException(new ErrorInfo("The body broke off.", "")));
    }

    /** Whether all of it has come. */
    boolean ended() {
        return ended;
    }

    /** All of one that has ended. */
    ByteString whole() {
        return feed.take(() -> {});
    }

    /** One that is still coming, to be run once. Who does not want the rest need not read it. */
    Source<ByteString, ?> source() {
        return Source.fromGraph(new FeedSource(feed, () -> {}));
    }
}
