package io.kvrouter.bench.client;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * What is spoken on a connection.
 *
 * @param http2 many calls at once on few connections; else HTTP/1.1, one call on each at a time
 * @param tls whom it trusts, whatever name it has; empty = plain text, and HTTP/2 by prior knowledge
 */
public record Wire(boolean http2, Optional<SSLContext> tls) {
    /** HTTP/1.1 in plain text. */
    public static final Wire PLAIN = new Wire(false, Optional.empty());

    void begin(ChannelPipeline pipeline) {
        tls.ifPresent(context -> pipeline.addLast(new SslHandler(engine(context))));
    }

    private SSLEngine engine(SSLContext context) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {http2 ? "h2" : "http/1.1"});
        engine.setSSLParameters(parameters);
        return engine;
    }
}
