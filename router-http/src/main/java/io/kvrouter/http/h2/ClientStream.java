package io.kvrouter.http.h2;

import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.server.InFlight;
import io.kvrouter.http.server.Serving;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.http.javadsl.model.ResponseEntity;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream of a connection: a request, the exchange that answers it, and the answer. The exchange is aborted as soon as
 * the stream is reset or its connection lost. Runs on the connection's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what can't be written has no reader
final class ClientStream extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ClientStream.class);
    private static final int UNTIL_READ_SECONDS = 1;

    private final Front front;
    private final ClientConnection connection;
    private final Http2StreamChannel stream;
    private final IncomingBody body;
    private final OutgoingAnswer answer;
    private @Nullable Http2Headers head;
    private @Nullable InFlight exchange;
    private boolean begun;
    private boolean bodiless;
    private boolean answering;

    ClientStream(Front front, ClientConnection connection, Http2StreamChannel stream) {
        this.front = front;
        this.connection = connection;
        this.stream = stream;
        this.body = new IncomingBody(stream);
        this.answer = new OutgoingAnswer(stream, front.serving().settings().writeTimeout(), this::answered);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        try {
            if (frame instanceof Http2HeadersFrame headers) {
                head = head == null ? headers.headers() : head; // the others are trailers
                if (headers.isEndStream()) {
                    body.end();
                }
            } else if (frame instanceof Http2DataFrame data) {
                body.take(data);
            }
        } finally {
            ReferenceCountUtil.release(frame);
        }
        if (body.ended()) {
            begin();
        }
    }

    /** A request whose body came in one go with its head is whole by now. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        begin();
        ctx.flush();
    }

    private void begin() {
        Http2Headers read = head;
        if (begun || read == null) {
            return;
        }
        begun = true;
        bodiless = HttpMethod.HEAD.asciiName().contentEquals(read.method());
        connection.used();
        try {
            RequestHead parsed = RequestHead.of(read, stream.parent().remoteAddress());
            begin(parsed.with(entity(parsed)));
        } catch (ApiException e) {
            HttpResponse response = e.error().response();
            whole(ResponseHead.of(response), response.entity());
        }
    }

    private void begin(HttpRequest request) {
        Serving serving = front.serving();
        boolean full = connection.tooMany()
                || serving.lifecycle().inFlight() >= serving.settings().maxConnections();
        InFlight started = full ? serving.refuse(request, any -> {}) : serving.begin(request, any -> {});
        exchange = started;
        started.response().whenComplete((response, failure) -> {
            HttpResponse given = response == null ? InFlight.failed(failure) : response;
            if (stream.eventLoop().inEventLoop()) {
                answer(started, given);
            } else {
                stream.eventLoop().execute(() -> answer(started, given));
            }
        });
    }

    private RequestEntity entity(RequestHead parsed) {
        if (body.ended() || parsed.length().equals(OptionalLong.of(0))) {
            return HttpEntities.create(parsed.type(), body.whole());
        }
        boolean asks = parsed.request().getHeader("expect").isPresent();
        Source<ByteString, ?> coming = asks ? Source.lazySource(this::wanted) : body.source();
        return parsed.length().isPresent()
                ? HttpEntities.create(parsed.type(), parsed.length().getAsLong(), coming)
                : HttpEntities.createChunked(parsed.type(), coming);
    }

    /** The body is read now, for which the client waits. On whichever thread. */
    private Source<ByteString, ?> wanted() {
        stream.eventLoop().execute(() -> {
            if (!answering) {
                stream.writeAndFlush(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("100")));
            }
        });
        return body.source();
    }

    private void answer(InFlight to, HttpResponse response) {
        if (!stream.isActive()) {
            return; // of which the exchange was told
        }
        Http2Headers fields;
        try {
            fields = ResponseHead.of(response);
        } catch (IllegalArgumentException e) { // what can't be sent can't be answered
            answer.reset();
            to.end(Exchange.End.CLIENT_GONE);
            return;
        }
        answering = true;
        Duration unread = front.serving().settings().writeTimeout();
        ResponseEntity watched = to.watched(response, unread).entity();
        if (to.isWatched(response)) {
            answer.head(fields, false);
            stream.flush();
            front.run(watched.getDataBytes(), Sink.fromGraph(new AnswerSink(answer, length(watched))));
        } else {
            whole(fields, watched)
                    .addListener(done -> to.end(done.isSuccess() ? Exchange.End.DONE : Exchange.End.CLIENT_GONE));
        }
    }

    private static OptionalLong length(ResponseEntity entity) {
        return entity.getContentLengthOption().isPresent()
                ? OptionalLong.of(entity.getContentLengthOption().getAsLong())
                : OptionalLong.empty();
    }

    /** An answer without a body, or with one that is there. */
    private ChannelFuture whole(Http2Headers fields, ResponseEntity entity) {
        answering = true;
        if (!(entity instanceof HttpEntity.Strict strict)) {
            front.run(entity.getDataBytes(), Sink.cancelled());
        } else if (!bodiless && !strict.getData().isEmpty()) {
            answer.head(fields, false);
            return answer.write(strict.getData(), true);
        }
        ChannelFuture written = answer.head(fields, true);
        stream.flush();
        return written;
    }

    /** The rest of a request that was answered early is not wanted; its client learns that when it has the answer. */
    private void answered() {
        if (!body.ended()) {
            stream.eventLoop().schedule(this::end, UNTIL_READ_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void end() {
        if (stream.isActive()) {
            stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame) {
            gone();
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        gone();
    }

    private void gone() {
        body.breakOff();
        InFlight cut = exchange;
        if (cut != null && !answer.complete()) {
            cut.end(Exchange.End.CLIENT_GONE);
        }
    }

    /** What the client did wrong in HTTP/2 the codec answers, and closes the stream. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof Http2Exception)) {
            LOG.error("a stream failed", cause);
            ctx.close();
        }
    }
}
