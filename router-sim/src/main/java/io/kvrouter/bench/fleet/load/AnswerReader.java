package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.fleet.load.Asked.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One connection to an ingress: at most one turn on it, whose answer streams. */
final class AnswerReader extends SimpleChannelInboundHandler<HttpObject> {
    /** Of the usage at the end, which may come in two parts. */
    private static final Pattern CACHED = Pattern.compile("\"cached_tokens\":(\\d{1,9})[,}]");

    private static final int LONGEST = 32;

    private final Ingress ingress;
    private @Nullable Channel channel;
    private @Nullable Asked turn;
    private int status;
    private String worker = "";
    private boolean keepAlive;
    private boolean begun;
    private int cachedTokens;
    private String carried = "";

    AnswerReader(Ingress ingress) {
        this.ingress = ingress;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    void send(Asked next) {
        turn = next;
        begun = false;
        cachedTokens = Outcome.NOT_TOLD;
        carried = "";
        if (channel != null) {
            var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(next.request()), channel.voidPromise());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            var unused = context.close();
            return;
        }
        if (part instanceof HttpResponse head) {
            status = head.status().code();
            worker = head.headers().get("x-router-worker", "");
            keepAlive = HttpUtil.isKeepAlive(head);
        }
        if (part instanceof HttpContent content && content.content().isReadable()) {
            read(content.content());
        }
        if (part instanceof LastHttpContent) {
            ended(context);
        }
    }

    private void read(ByteBuf body) {
        if (!begun && turn != null && Asked.good(status)) {
            turn.atFirst().accept(System.nanoTime());
        }
        begun = true;
        String text = carried + body.toString(StandardCharsets.US_ASCII);
        Matcher cached = CACHED.matcher(text);
        if (cached.find()) {
            cachedTokens = Integer.parseInt(cached.group(1));
        }
        carried = text.substring(Math.max(0, text.length() - LONGEST));
    }

    private void ended(ChannelHandlerContext context) {
        if (keepAlive) {
            ingress.idle(this);
        } else {
            var unused = context.close();
        }
        end(new Outcome(status, worker, cachedTokens, System.nanoTime()));
    }

    private void end(Outcome outcome) {
        Asked over = turn;
        turn = null;
        if (over != null) {
            ingress.ended(over, outcome);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ingress.closed(this);
        end(Outcome.broken());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
