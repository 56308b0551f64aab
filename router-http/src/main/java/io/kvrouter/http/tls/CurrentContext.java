package io.kvrouter.http.tls;

import java.security.KeyManagementException;
import java.security.SecureRandom;
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

/** A context that stands for another, which may be replaced: those who hold it need not know. */
final class CurrentContext extends SSLContext {
    private final Current current;

    CurrentContext(SSLContext first) {
        this(new Current(first));
    }

    private CurrentContext(Current current) {
        super(current, current.context.getProvider(), current.context.getProtocol());
        this.current = current;
    }

    /** From now on it stands for this one. */
    void become(SSLContext next) {
        current.context = next;
    }

    private static final class Current extends SSLContextSpi {
        private volatile SSLContext context;

        Current(SSLContext first) {
            this.context = first;
        }

        @Override
        protected void engineInit(
                KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("made already");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return context.createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return context.createSSLEngine(host, port);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return context.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return context.getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return context.getSupportedSSLParameters();
        }
    }
}
