package io.kvrouter.http.testing;

import static io.kvrouter.http.testing.Eventually.eventually;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** One stream of an {@link Http2Peer}: what was sent on it, and what came. */
@SuppressWarnings("FutureReturnValueIgnored") // what can't be written shows in what comes
public final class Http2Call extends ChannelInboundHandlerAdapter {
    private final List<Http2Headers> heads = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(); // its methods are synchronized
    private final CompletableFuture<Http2StreamChannel> opened = new CompletableFuture<>();
    private final AtomicLong unsent = new AtomicLong();
    private volatile boolean ended;
    private volatile long reset = -1;

    Http2Call() {}

    void begin(Http2StreamChannel stream) {
        opened.complete(stream);
    }

    private Http2StreamChannel stream() {
        return opened.join();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        if (frame instanceof Http2HeadersFrame head) {
            heads.add(head.headers());
            ended = head.isEndStream();
        } else if (frame instanceof Http2DataFrame data) {
            byte[] bytes = new byte[data.content().readableBytes()];
            data.content().readBytes(bytes);
            body.writeBytes(bytes);
            ended = data.isEndStream();
        }
        ReferenceCountUtil.release(frame);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame told) {
            reset = told.errorCode();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    public Http2Call head(Http2Headers head, boolean last) {
        stream().writeAndFlush(new DefaultHttp2HeadersFrame(head, last)).awaitUninterruptibly(20_000);
        return this;
    }

    public Http2Call send(String text, boolean last) {
        return send(text.getBytes(StandardCharsets.UTF_8), last);
    }

    /** Does not wait for the server's window. */
    public Http2Call send(byte[] bytes, boolean last) {
        unsent.addAndGet(bytes.length);
        stream()
                .writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes), last))
                .addListener(done -> unsent.addAndGet(done.isSuccess() ? -bytes.length : 0));
        return this;
    }

    /** Bytes for which the server had no window yet. */
    public long unsent() {
        return unsent.get();
    }

    /** From now on nothing of the answer is taken, so that the window closes. */
    public Http2Call stall() {
        stream().config().setAutoRead(false);
        return this;
    }

    public Http2Call goOn() {
        stream().config().setAutoRead(true);
        return this;
    }

    public Http2Call reset() {
        stream().writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL)).awaitUninterruptibly(20_000);
        return this;
    }

    /** All heads that came, those of informational answers too. */
    public List<Http2Headers> heads() {
        return heads;
    }

    public Http2Headers awaitHead() throws InterruptedException {
        eventually("a head", () -> !heads.isEmpty() || over());
        return heads.getLast();
    }

    public String status() throws InterruptedException {
        return awaitHead().status().toString();
    }

    public String text() {
        return body.toString(StandardCharsets.UTF_8);
    }

    public int size() {
        return body.size();
    }

    public Http2Call awaitText(String part) throws InterruptedException {
        eventually("has come: " + part, () -> text().contains(part));
        return this;
    }

    /** Whether it is over: ended, reset, or its connection is lost. */
    public boolean over() {
        return ended || reset >= 0 || !stream().isOpen();
    }

    /** Whether it is over otherwise than by its end. */
    public boolean broken() {
        return over() && !ended;
    }

    /** Waits for a clean end; answers the body. */
    public String whole() throws InterruptedException {
        eventually("over", this::over);
        if (!ended) {
            throw new AssertionError("reset: " + reset);
        }
        return text();
    }

    /** Waits for a reset; answers its code. */
    public long awaitReset() throws InterruptedException {
        eventually("reset", () -> reset >= 0);
        return reset;
    }
}
