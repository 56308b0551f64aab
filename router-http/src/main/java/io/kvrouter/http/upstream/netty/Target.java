package io.kvrouter.http.upstream.netty;

import java.net.URI;

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
}
