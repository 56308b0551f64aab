package io.kvrouter.bench.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;

/** Those of HTTP/2: a few, made when they are needed, which the calls take in turn, each as a stream of its own. */
final class SharedConnections implements Connections {
    /** As a gateway has one for each of its threads. */
    static final int COUNT = 4;

    private final Ingress ingress;
    private final Wire wire;
    private final ClientThread thread;
    private final List<Http2Connection> made = new ArrayList<>();
    private int next;

    SharedConnections(Ingress ingress, Wire wire, ClientThread thread) {
        this.ingress = ingress;
        this.wire = wire;
        this.thread = thread;
    }

    @Override
    public void send(Call call) {
        var unused = connection().addListener((Future<Channel> ready) -> {
            if (ready.isSuccess()) {
                open(ready.getNow(), call);
            } else {
                ingress.ended(call, Outcome.Unanswered.NOT_CONNECTED);
            }
        });
    }

    private Future<Channel> connection() {
        next = (next + 1) % COUNT;
        if (made.size() <= next) {
            made.add(new Http2Connection(ingress.api(), wire, thread));
            return made.getLast().ready();
        }
        if (made.get(next).gone()) {
            made.set(next, new Http2Connection(ingress.api(), wire, thread));
        }
        return made.get(next).ready();
    }

    private void open(Channel on, Call call) {
        var stream = new Connection(ingress);
        var unused = new Http2StreamChannelBootstrap(on)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new Http2StreamFrameToHttpObjectCodec(false), RequestMessages.INSTANCE, stream);
                    }
                })
                .open()
                .addListener(opened -> {
                    if (opened.isSuccess()) {
                        stream.send(call);
                    } else {
                        ingress.ended(call, Outcome.Unanswered.BROKEN_OFF);
                    }
                });
    }

    @Override
    public void closeIdle() {
        made.forEach(Http2Connection::close);
    }
}
