package io.kvrouter.sim.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A worker's listening socket, which can be shut and opened again on the same port. Confined to the worker's event loop.
 *
 * <p>While shut, a socket that is bound but does not listen keeps the port: connects are refused as if nobody were there,
 * and no other process is given the port meanwhile.
 */
final class ListeningPort {
    private final ServerBootstrap bootstrap;
    private final String host;
    private volatile int port;
    private @Nullable Channel listener;
    private @Nullable SocketChannel placeholder;

    ListeningPort(ServerBootstrap bootstrap, String host, int port) {
        this.bootstrap = bootstrap;
        this.host = host;
        this.port = port;
    }

    int port() {
        return port;
    }

    boolean isOpen() {
        return listener != null;
    }

    /** Listens; fails with an {@link IOException} that names the port if that can't be. */
    CompletableFuture<Void> open() {
        var opened = new CompletableFuture<Void>();
        if (listener != null) {
            opened.complete(null);
            return opened;
        }
        ChannelFuture bound = bootstrap.bind(host, port);
        bound.addListener(done -> {
            if (done.isSuccess()) {
                listener = bound.channel();
                port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
                dropPlaceholder();
                opened.complete(null);
            } else {
                opened.completeExceptionally(new IOException(
                        "can't listen on port " + port + " of " + host + ": "
                                + done.cause().getMessage(),
                        done.cause()));
            }
        });
        return opened;
    }

    /** Stops listening for now. */
    void shut() {
        if (listener != null) {
            var unused = listener.close();
            listener = null;
            holdPort();
        }
    }

    /** Stops listening for good. */
    void close() {
        if (listener != null) {
            var unused = listener.close();
            listener = null;
        }
        dropPlaceholder();
    }

    private void holdPort() {
        try {
            SocketChannel held = SocketChannel.open();
            placeholder = held;
            held.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            held.bind(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void dropPlaceholder() {
        try {
            if (placeholder != null) {
                placeholder.close();
                placeholder = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
