package io.kvrouter.bench.sessions.load;

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
 * One node as the client's side sees it: connections that are kept, and turns that wait for one. Confined to the
 * client's thread.
 */
final class Target {
    private static final int MAX_CONNECTIONS = 512;
    private static final int CONNECT_MS = 2_000;

    private final URI api;
    private final TurnClient client;
    private final Deque<TurnConnection> idle = new ArrayDeque<>();
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private int connections;
    private boolean up = true;
    private boolean struck;

    Target(URI api, TurnClient client) {
        this.api = api;
        this.client = client;
    }

    URI api() {
        return api;
    }

    boolean up() {
        return up;
    }

    /** A fault strikes it: what it has in hand is counted apart from now on. */
    boolean struck() {
        return struck;
    }

    void strike(boolean now) {
        struck = now;
    }

    /** As the health check finds it. A node that is down gets nothing new, and what waits goes to others. */
    void up(boolean now) {
        up = now;
        if (!up) {
            for (Turn turn = waiting.poll(); turn != null; turn = waiting.poll()) {
                client.dispatch(turn);
            }
        }
    }

    void send(Turn turn) {
        TurnConnection free = idle.pollLast();
        if (free != null) {
            free.send(turn);
        } else if (connections < MAX_CONNECTIONS) {
            connect(turn);
        } else {
            waiting.add(turn);
        }
    }

    private void connect(Turn turn) {
        connections++;
        var connection = new TurnConnection(this, client);
        var unused = new Bootstrap()
                .group(client.loop())
                .channel(client.socketType())
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
                        connections--;
                        client.refused(turn, this);
                    }
                });
    }

    /** The connection has nothing to do. */
    void release(TurnConnection connection) {
        Turn next = waiting.poll();
        if (next == null) {
            idle.addLast(connection);
        } else {
            connection.send(next);
        }
    }

    void closed(TurnConnection connection) {
        connections--;
        idle.remove(connection);
    }
}
