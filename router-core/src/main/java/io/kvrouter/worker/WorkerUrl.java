package io.kvrouter.worker;

import java.net.URI;
import java.util.Locale;

/** The base URL of a worker, in the one form in which two spellings of it are equal. */
public final class WorkerUrl {
    private static final int MAX_PORT = 65_535;

    private WorkerUrl() {}

    /**
     * Lower-case scheme and host, explicit port, no trailing slash.
     *
     * @throws IllegalArgumentException if the text is not an absolute http or https URL without query or fragment
     */
    public static URI normalise(String text) {
        URI uri = URI.create(text.strip());
        if (uri.getUserInfo() != null) { // which is a secret, so that the message leaves the URL out
            throw new IllegalArgumentException("worker url with a user's name or key in it (expected: none)");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean http = scheme.equals("http");
        if ((!http && !scheme.equals("https"))
                || uri.getHost() == null
                || uri.getQuery() != null
                || uri.getFragment() != null) {
            throw new IllegalArgumentException("worker url: \"" + text + "\" (expected: http(s)://host[:port][/path])");
        }
        int port = uri.getPort() != -1 ? uri.getPort() : http ? 80 : 443;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("worker url: port " + port + " (expected: 1 to " + MAX_PORT + ")");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
        return URI.create(scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + ":" + port + path);
    }
}
