package io.kvrouter.sim.server;

import io.kvrouter.sim.api.Refused;
import io.kvrouter.sim.server.LoggedRequest.Outcome;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One request on a connection and the way to answer it. Ends exactly once: answered, given up because the client left,
 * or cut. Confined to the worker's loop.
 */
final class Exchange {
    /** So that a client reads what was sent before the reset: a reset may overtake it. */
    private static final long PAUSE_BEFORE_RESET_MS = 20;

    private final Channel channel;
    private final RequestHead head;
    private final byte[] body;
    private final LongSupplier nowMs;
    private final Runnable atEnd;
    private long bytesUntilCut = Long.MAX_VALUE;
    private Runnable giveUp = () -> {};
    private @Nullable LoggedRequest logged;
    private boolean ended;

    /** What a request says of itself before its body. */
    record RequestHead(String method, String path, HttpHeaders headers) {}

    Exchange(Channel channel, RequestHead head, byte[] body, LongSupplier nowMs, Runnable atEnd) {
        this.channel = channel;
        this.head = head;
        this.body = body;
        this.nowMs = nowMs;
        this.atEnd = atEnd;
    }

    RequestHead head() {
        return head;
    }

    byte[] body() {
        return body;
    }

    boolean ended() {
        return ended;
    }

    /** From now on this request's fate is written there. */
    void logTo(LoggedRequest entry) {
        logged = entry;
    }

    /** Done once if the exchange ends before its answer is complete. */
    void onGiveUp(Runnable action) {
        giveUp = action;
    }

    void cutAfter(long bytes) {
        bytesUntilCut = bytes;
    }

    /** The whole answer. */
    void answer(int status, String contentType, byte[] content) {
        var response = response(status, contentType);
        HttpUtil.setContentLength(response, content.length);
        if (status == 429 || status == 503) {
            response.headers().set(HttpHeaderNames.RETRY_AFTER, "1");
        }
        start(response, status);
        send(content);
        finish(status < 400 ? Outcome.FINISHED : Outcome.FAILED);
    }

    void refuse(Refused refused) {
        answer(refused.status(), "application/json", refused.json());
    }

    /** The head of an answer that comes as server-sent events. */
    void startEvents() {
        var response = response(200, "text/event-stream; charset=utf-8");
        HttpUtil.setTransferEncodingChunked(response, true);
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache");
        start(response, 200);
        channel.flush();
    }

    /** Puts bytes of the body on their way; they leave with the next {@link #flush} at the latest. */
    void send(byte[] bytes) {
        if (ended) {
            return;
        }
        if (bytes.length > bytesUntilCut) {
            write(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes, 0, (int) bytesUntilCut)));
            channel.flush();
            abandon(Outcome.FAILED);
            resetSoon();
        } else {
            bytesUntilCut -= bytes.length;
            write(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
        }
    }

    void flush() {
        channel.flush();
    }

    /** The answer is complete. */
    void finish() {
        finish(Outcome.FINISHED);
    }

    /** The answer will not be completed: the client left, or this side breaks off. The connection is of no more use. */
    void abandon(Outcome why) {
        if (!ended) {
            ended = true;
            log(why);
            giveUp.run();
        }
    }

    private void finish(Outcome how) {
        if (!ended) {
            ended = true;
            write(LastHttpContent.EMPTY_LAST_CONTENT);
            channel.flush();
            log(how);
            atEnd.run();
        }
    }

    private void start(DefaultHttpResponse response, int status) {
        if (logged != null) {
            logged.answered(status);
        }
        write(response);
    }

    private void write(Object message) {
        var unused = channel.write(message, channel.voidPromise());
    }

    private void resetSoon() {
        Runnable reset = () -> reset(channel);
        var unused = channel.eventLoop().schedule(reset, PAUSE_BEFORE_RESET_MS, TimeUnit.MILLISECONDS);
    }

    private void log(Outcome outcome) {
        if (logged != null) {
            logged.ended(outcome, nowMs.getAsLong());
        }
    }

    /** Closes with RST instead of FIN, whatever is still to be sent. */
    static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            var unused = channel.close();
        }
    }

    private static DefaultHttpResponse response(int status, String contentType) {
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        return response;
    }
}
