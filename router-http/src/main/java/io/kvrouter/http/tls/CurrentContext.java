package io.kvrouter.http.tls;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** A context that stands for the one that counts now: those who hold it need not know when that is another. */
final class CurrentContext extends SSLContext {
    CurrentContext(Supplier<SSLContext> current) {
        super(new Current(current), current.get().getProvider(), current.get().getProtocol());
    }

    private static final class Current extends SSLContextSpi {
        private final Supplier<SSLContext> context;

        Current(Supplier<SSLContext> context) {
            this.context = context;
        }

        @Override
        protected void engineInit(
                KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("made already");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return context.get().createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return context.get().createSSLEngine(host, port);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return context.get().getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.get().getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.get().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.get().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return context.get().getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return context.get().getSupportedSSLParameters();
        }
    }
}
