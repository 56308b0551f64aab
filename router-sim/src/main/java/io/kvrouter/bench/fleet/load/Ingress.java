package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.ClientThread;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One node as its clients see it: so many turns at once, each on a connection that is kept, and turns that wait for their
 * place. Confined to the client's thread.
 */
final class Ingress {
    private static final int CONNECT_MS = 5_000;

    private final URI api;
    private final int limit;
    private final ClientThread thread;
    private final Deque<AnswerReader> idle = new ArrayDeque<>();
    private final Deque<Asked> waiting = new ArrayDeque<>();
    private int inFlight;

    Ingress(URI api, int limit, ClientThread thread) {
        this.api = api;
        this.limit = limit;
        this.thread = thread;
    }

    int inFlight() {
        return inFlight;
    }

    /** What still waits is never sent. */
    void forgetWaiting() {
        waiting.clear();
    }

    void send(Asked turn) {
        if (inFlight >= limit) {
            waiting.add(turn);
            return;
        }
        inFlight++;
        AnswerReader free = idle.pollLast();
        if (free == null) {
            connect(turn);
        } else {
            free.send(turn);
        }
    }

    private void connect(Asked turn) {
        var connection = new AnswerReader(this);
        var unused = new Bootstrap()
                .group(thread.loop())
                .channel(thread.socketType())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpResponseDecoder(), connection);
                    }
                })
                .connect(api.getHost(), api.getPort())
                .addListener((ChannelFuture connected) -> {
                    if (connected.isSuccess()) {
                        connection.send(turn);
                    } else {
                        ended(turn, Asked.Outcome.broken());
                    }
                });
    }

    /** A turn is over: its place is free before its lane goes on. */
    void ended(Asked turn, Asked.Outcome outcome) {
        inFlight--;
        Asked next = waiting.poll();
        if (next != null) {
            send(next);
        }
        turn.atEnd().accept(outcome);
    }

    void idle(AnswerReader connection) {
        idle.addLast(connection);
    }

    void closed(AnswerReader connection) {
        idle.remove(connection);
    }
}
