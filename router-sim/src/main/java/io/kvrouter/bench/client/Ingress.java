package io.kvrouter.bench.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One node as its clients see it: so many calls at once, each on a connection that is kept, and calls that wait for their
 * place. Confined to the client's thread.
 */
public final class Ingress {
    private static final int CONNECT_MS = 5_000;

    private final URI api;
    private final int places;
    private final ClientThread thread;
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final Deque<Call> waiting = new ArrayDeque<>();
    private int inFlight;

    /** @param places calls in flight at most */
    public Ingress(URI api, int places, ClientThread thread) {
        this.api = api;
        this.places = places;
        this.thread = thread;
    }

    public URI api() {
        return api;
    }

    /** Calls sent whose end is not known. */
    public int inFlight() {
        return inFlight;
    }

    /** Sends it when there is a place. */
    public void send(Call call) {
        if (inFlight >= places) {
            waiting.add(call);
            return;
        }
        inFlight++;
        Connection free = idle.pollLast();
        if (free == null) {
            connect(call);
        } else {
            free.send(call);
        }
    }

    /** What still waits ends here, not sent. */
    public void takeBackWaiting() {
        List<Call> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(call -> call.ended(Outcome.Unanswered.NOT_SENT));
    }

    /** Closes the connections that wait for a call. */
    public void closeIdle() {
        List.copyOf(idle).forEach(Connection::close);
    }

    private void connect(Call call) {
        var connection = new Connection(this);
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
                        connection.send(call);
                    } else {
                        ended(call, Outcome.Unanswered.NOT_CONNECTED);
                    }
                });
    }

    /** A call is over: its place is free before its client goes on. */
    void ended(Call call, Outcome outcome) {
        inFlight--;
        Call next = waiting.poll();
        if (next != null) {
            send(next);
        }
        call.ended(outcome);
    }

    void idle(Connection connection) {
        idle.addLast(connection);
    }

    void closed(Connection connection) {
        idle.remove(connection);
    }
}
