package io.kvrouter.cluster.membership;

/** A node's remoting address, as an operator writes it. */
public record HostAndPort(String host, int port) implements Comparable<HostAndPort> {
    private static final int MAX_PORT = 65_535;

    public HostAndPort {
        if (host.isBlank() || port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("\"" + host + ":" + port + "\" (expected: host:port)");
        }
    }

    /** Reads {@code host:port}, or {@code host} with a default port; an IPv6 address stands in brackets. */
    public static HostAndPort parse(String text, int defaultPort) {
        String trimmed = text.strip();
        int colon = trimmed.lastIndexOf(':');
        if (colon < 0 || trimmed.endsWith("]")) {
            return new HostAndPort(trimmed, defaultPort);
        }
        String host = trimmed.substring(0, colon);
        if (host.indexOf(':') >= 0 && !host.startsWith("[")) {
            throw new IllegalArgumentException("\"" + text + "\" (expected: host:port, an IPv6 address in brackets)");
        }
        try {
            return new HostAndPort(host, Integer.parseInt(trimmed.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + text + "\" (expected: host:port)", e);
        }
    }

    @Override
    public int compareTo(HostAndPort other) {
        int byHost = host.compareTo(other.host);
        return byHost != 0 ? byHost : Integer.compare(port, other.port);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
