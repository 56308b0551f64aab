package io.kvrouter.bench.proxy.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection to a {@link MockEngine}, with one request on it at a time. */
final class EngineConnection extends ChannelInboundHandlerAdapter {
    private static final String MODELS =
            "{\"object\":\"list\",\"data\":[{\"id\":\"" + MockEngine.MODEL + "\",\"object\":\"model\"}]}";
    private static final byte[] ANSWER = json(
            "200 OK",
            "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\","
                    + "\"created\":1,\"model\":\"" + MockEngine.MODEL
                    + "\",\"choices\":[{\"index\":0,\"message\":{\"role\":"
                    + "\"assistant\",\"content\":\"" + "x".repeat(60) + "\"},\"finish_reason\":\"stop\"}],\"usage\":"
                    + "{\"prompt_tokens\":40,\"completion_tokens\":16,\"total_tokens\":56}}");
    private static final byte[] EVENTS = String.join(
                    "\r\n",
                    "HTTP/1.1 200 OK",
                    "content-type: text/event-stream",
                    "cache-control: no-cache",
                    "transfer-encoding: chunked",
                    "",
                    "")
            .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LIST = json("200 OK", MODELS);
    private static final byte[] HEALTHY = json("200 OK", "{}");
    private static final byte[] UNKNOWN = json("404 Not Found", "{}");

    private final MockEngine engine;
    private @Nullable HttpRequest head;
    private @Nullable EventStream waiting;

    EngineConnection(MockEngine engine) {
        this.engine = engine;
    }

    private static byte[] json(String status, String body) {
        return ("HTTP/1.1 " + status + "\r\ncontent-type: application/json\r\ncontent-length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        try {
            if (part instanceof HttpRequest request) {
                head = request;
            }
            if (part instanceof HttpContent content && head != null) {
                read(context, head, content);
            }
        } finally {
            ReferenceCountUtil.release(part);
        }
    }

    private void read(ChannelHandlerContext context, HttpRequest request, HttpContent content) {
        boolean completion =
                request.method().equals(HttpMethod.POST) && request.uri().startsWith("/v1/chat/completions");
        if (completion) {
            engine.tally().body(content.content().readableBytes());
        }
        if (content instanceof LastHttpContent && completion) {
            engine.tally().received();
            complete(context, request);
        } else if (content instanceof LastHttpContent) {
            write(context, known(request.uri()));
        }
    }

    private byte[] known(String path) {
        return switch (path) {
            case "/health" -> HEALTHY;
            case "/v1/models" -> LIST;
            case MockEngine.COUNTS -> json("200 OK", engine.tally().json(engine.streams()));
            default -> UNKNOWN;
        };
    }

    private void complete(ChannelHandlerContext context, HttpRequest request) {
        Integer events = request.headers().getInt(MockEngine.EVENTS);
        if (events == null) {
            engine.tally().finished();
            write(context, ANSWER);
            return;
        }
        write(context, EVENTS);
        var stream = new EventStream(context.channel(), events, engine.tally()::finished);
        String pace = request.headers().get(MockEngine.PACE, "");
        switch (pace) {
            case "" -> {
                waiting = stream;
                engine.streams().hurry(stream);
            }
            case MockEngine.BEAT -> engine.streams().hold(stream);
            default -> engine.streams().pace(stream, TimeUnit.MICROSECONDS.toNanos(Long.parseLong(pace)));
        }
    }

    /** An eager stream was left when its connection was full. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        EventStream stream = waiting;
        if (stream != null && !stream.over() && stream.writable()) {
            engine.streams().hurry(stream);
        }
        context.fireChannelWritabilityChanged();
    }

    private static void write(ChannelHandlerContext context, byte[] bytes) {
        ByteBuf out = Unpooled.wrappedBuffer(bytes);
        var unused = context.writeAndFlush(out, context.voidPromise());
    }

    /** A client that leaves. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
