package io.kvrouter.http.upstream.netty;

import io.netty.util.NetUtil;
import java.net.URI;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** Where a connection leads: what may be shared between requests to the same worker. */
record Target(String host, int port, boolean tls) {
    static Target of(URI base) {
        boolean tls = "https".equalsIgnoreCase(base.getScheme());
        String host = base.getHost();
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        int port = base.getPort() != -1 ? base.getPort() : tls ? 443 : 80;
        return new Target(bare, port, tls);
    }

    /** The value of Host: the port only where it is not the scheme's own. */
    String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    /** The client's side of a TLS connection: the worker's certificate must be for the host of its URL, which is told. */
    SSLEngine clientEngine(SSLContext tls) {
        SSLEngine engine = tls.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (NetUtil.createByteArrayFromIpAddressString(host) == null && !host.endsWith(".")) {
            parameters.setServerNames(List.of(new SNIHostName(host))); // the JDK tells names with a dot only
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
