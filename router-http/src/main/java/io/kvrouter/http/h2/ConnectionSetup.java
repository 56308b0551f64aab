package io.kvrouter.http.h2;

import io.kvrouter.http.server.ApiServerSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelOption;
import io.netty.handler.ssl.SslHandler;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** Makes HTTP/2 of a new connection, within limits that keep one client from taking more than its part. */
final class ConnectionSetup extends ChannelInitializer<Channel> {
    /** Bytes of a request's body that may be on their way, or wait to be taken. */
    static final int WINDOW = 256 * 1024;

    private static final int MOST_HEADERS = 64 * 1024;
    private static final int RESET_WINDOW_SECONDS = 30;

    private final Front front;
    private final Optional<Supplier<SSLEngine>> tls;

    ConnectionSetup(Front front, Optional<Supplier<SSLEngine>> tls) {
        this.front = front;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        tls.ifPresent(engines -> channel.pipeline().addLast(new SslHandler(offeringHttp2(engines.get()))));
        Http2FrameCodec codec = codec(front.serving().settings().http2());
        ClientConnection connection = new ClientConnection(front, codec);
        channel.pipeline().addLast(codec, new Http2MultiplexHandler(streamsOf(connection)), connection);
    }

    private ChannelInitializer<Http2StreamChannel> streamsOf(ClientConnection connection) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Http2StreamChannel stream) {
                stream.config().setOption(Http2StreamChannelOption.AUTO_STREAM_FLOW_CONTROL, false);
                stream.pipeline().addLast(new ClientStream(front, connection, stream));
            }
        };
    }

    /** And nothing else, so that the handshake fails with a client that wants another protocol. */
    private static SSLEngine offeringHttp2(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {ClientConnection.PROTOCOL});
        engine.setSSLParameters(parameters);
        return engine;
    }

    /**
     * Resets in both directions are limited: a client that gives up its requests as fast as it makes them, or makes this
     * side do so, has few of them open at any time. Without a time limit for what runs when a connection is to be closed:
     * the shutdown has one.
     */
    private static Http2FrameCodec codec(ApiServerSettings.Http2 limits) {
        return Http2FrameCodecBuilder.forServer()
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(limits.maxStreams())
                        .initialWindowSize(WINDOW)
                        .maxHeaderListSize(MOST_HEADERS))
                .validateRequiredPseudoHeaders(true)
                .decoderEnforceMaxRstFramesPerWindow(limits.maxResets(), RESET_WINDOW_SECONDS)
                .encoderEnforceMaxRstFramesPerWindow(limits.maxResets(), RESET_WINDOW_SECONDS)
                .gracefulShutdownTimeoutMillis(-1)
                .build();
    }
}
