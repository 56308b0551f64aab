package io.kvrouter.cluster.membership;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node's remoting address, as an operator writes it. */
public record HostAndPort(String host, int port) implements Comparable<HostAndPort> {
    private static final int MAX_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile("(\\[[^\\s\\[\\]/]+\\]|[^\\s\\[\\]/:]+):(\\d{1,5})");

    public HostAndPort {
        if (host.isBlank() || port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("\"" + host + ":" + port + "\" (expected: host:port)");
        }
    }

    /** Reads {@code host:port}; an IPv6 address stands in brackets. */
    public static HostAndPort parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" (expected: host:port, an IPv6 address in brackets)");
        }
        return new HostAndPort(parts.group(1), Integer.parseInt(parts.group(2)));
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
