package io.kvrouter.http.server;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * Times and limits of the API server.
 *
 * @param keepAlive how long a client's connection may stay open without a request (up to twice as long)
 * @param writeTimeout how long a client may leave what it is sent unread; then it counts as gone
 * @param leaving how the node leaves
 * @param maxBody bytes that a request's body may have
 * @param maxConnections clients' connections that are served at once; requests on further ones are refused
 * @param http2 what one HTTP/2 connection may do
 */
public record ApiServerSettings(
        Duration keepAlive, Duration writeTimeout, Leaving leaving, long maxBody, int maxConnections, Http2 http2) {
    private static final long MOST_BODY = 1L << 30; // it is one array
    private static final int MOST_CONNECTIONS = 1_000_000;
    private static final String PHASES = "pekko.coordinated-shutdown.phases.";

    /**
     * What one HTTP/2 connection may do.
     *
     * @param maxStreams requests that it may have under way
     * @param maxResets requests that it may break off in 30 s
     */
    public record Http2(int maxStreams, int maxResets) {
        private static final int MOST_STREAMS = 8_191; // their windows together are one number of 31 bits

        public Http2 {
            if (maxStreams <= 0 || maxStreams > MOST_STREAMS) {
                throw new IllegalArgumentException("kvrouter.api-server.http2.max-streams: " + maxStreams
                        + " (expected: > 0, at most " + MOST_STREAMS + ")");
            }
            if (maxResets <= 0) {
                throw new IllegalArgumentException(
                        "kvrouter.api-server.http2.max-resets: " + maxResets + " (expected: > 0)");
            }
        }
    }

    /**
     * How a node leaves.
     *
     * @param grace from losing readiness to refusing connections, so that load balancers notice
     * @param drain longest wait for running requests after that
     * @param capped whether workers have a cap that all nodes share
     */
    public record Leaving(Duration grace, Duration drain, boolean capped) {
        public Leaving {
            if (grace.isNegative() || drain.isNegative()) {
                throw new IllegalArgumentException(
                        "kvrouter.shutdown: grace " + grace + ", drain " + drain + " (expected: >= 0)");
            }
        }

        /**
         * When the cluster has downed the node: as ever, but where workers have a cap, others are given what it runs there
         * before long, so that nothing is accepted or waited for any more.
         */
        Leaving downed() {
            return capped ? new Leaving(Duration.ZERO, Duration.ZERO, true) : this;
        }
    }

    public ApiServerSettings {
        positive("keep-alive", keepAlive);
        positive("write-timeout", writeTimeout);
        if (maxBody <= 0 || maxBody > MOST_BODY) {
            throw new IllegalArgumentException(
                    "kvrouter.api-server.max-body-size: " + maxBody + " (expected: > 0, at most 1 GiB)");
        }
        if (maxConnections <= 0 || maxConnections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException("kvrouter.api-server.max-connections: " + maxConnections
                    + " (expected: > 0, at most " + MOST_CONNECTIONS + ")");
        }
    }

    /** Reads them from an application's whole configuration, and checks that the shutdown's phases last as long. */
    public static ApiServerSettings from(Config config) {
        ApiServerSettings settings = new ApiServerSettings(
                config.getDuration("kvrouter.api-server.keep-alive"),
                config.getDuration("kvrouter.api-server.write-timeout"),
                new Leaving(
                        config.getDuration("kvrouter.shutdown.grace"),
                        config.getDuration("kvrouter.shutdown.drain"),
                        config.hasPath("kvrouter.admission.requests-per-worker")),
                config.getBytes("kvrouter.api-server.max-body-size"),
                config.getInt("kvrouter.api-server.max-connections"),
                new Http2(
                        config.getInt("kvrouter.api-server.http2.max-streams"),
                        config.getInt("kvrouter.api-server.http2.max-resets")));
        fits(config, "kvrouter.shutdown.grace", settings.leaving().grace(), "before-service-unbind");
        fits(config, "kvrouter.shutdown.drain", settings.leaving().drain(), "service-requests-done");
        return settings;
    }

    private static void positive(String key, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("kvrouter.api-server." + key + ": " + time + " (expected: > 0)");
        }
    }

    private static void fits(Config config, String key, Duration time, String phase) {
        String limit = PHASES + phase + ".timeout";
        if (time.compareTo(config.getDuration(limit)) > 0) {
            throw new IllegalArgumentException(
                    key + ": " + time + " (expected: <= " + limit + " = " + config.getDuration(limit) + ")");
        }
    }
}
