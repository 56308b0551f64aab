package io.kvrouter.bench.client;

import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Those of HTTP/1.1: one for each call in flight, kept for the next. */
final class KeptConnections implements Connections {
    private final Ingress ingress;
    private final Wire wire;
    private final ClientThread thread;
    private final Deque<Connection> idle = new ArrayDeque<>();

    KeptConnections(Ingress ingress, Wire wire, ClientThread thread) {
        this.ingress = ingress;
        this.wire = wire;
        this.thread = thread;
    }

    @Override
    public void send(Call call) {
        Connection free = idle.pollLast();
        if (free == null) {
            connect(call);
        } else {
            free.send(call);
        }
    }

    private void connect(Call call) {
        var connection = new Connection(ingress);
        var unused = thread.connect(ingress.api(), pipeline -> {
                    wire.begin(pipeline);
                    pipeline.addLast(new HttpResponseDecoder(), connection);
                })
                .addListener((ChannelFuture connected) -> {
                    if (connected.isSuccess()) {
                        connection.send(call);
                    } else {
                        ingress.ended(call, Outcome.Unanswered.NOT_CONNECTED);
                    }
                });
    }

    @Override
    public void idle(Connection connection) {
        idle.addLast(connection);
    }

    @Override
    public void closed(Connection connection) {
        idle.remove(connection);
    }

    @Override
    public void closeIdle() {
        List.copyOf(idle).forEach(Connection::close);
    }
}
