package io.kvrouter.http.tls;

import com.typesafe.config.Config;
import io.kvrouter.http.settings.SettingException;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;

/** TLS of all faces of a node, from {@code kvrouter.tls}; a face without files has none. */
public final class NodeTls {
    private static final String ROOT = "kvrouter.tls.";
    private static final String INTERVAL = ROOT + "check-interval";

    private final Optional<FaceTls> api;
    private final Optional<FaceTls> management;
    private final Optional<FaceTls> workers;
    private final Optional<FaceTls> remoting;
    private final Duration interval;

    private NodeTls(Config config, Clock clock) {
        interval = config.getDuration(INTERVAL);
        if (interval.isNegative() || interval.isZero()) {
            throw new SettingException(INTERVAL, interval + " (expected: > 0)");
        }
        api = FaceTls.open(TlsFiles.ofServer(config, ROOT + "api"), clock);
        management = FaceTls.open(TlsFiles.ofServer(config, ROOT + "management"), clock);
        workers = FaceTls.open(TlsFiles.of(config, ROOT + "workers"), clock);
        remoting = FaceTls.open(TlsFiles.ofPeer(config, ROOT + "remoting"), clock);
    }

    /**
     * Reads settings and files.
     *
     * @throws SettingException the first that can't be used
     */
    public static NodeTls open(Config config) {
        return new NodeTls(config, Clock.systemUTC());
    }

    /** Looks for changed files as long as the actor system lives. */
    public void watch(ActorSystem<?> system) {
        faces().forEach(face -> face.files().watch(system, interval));
    }

    private List<FaceTls> faces() {
        return Stream.of(api, management, workers, remoting)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The server's side of connections to the API port. */
    public Optional<Supplier<SSLEngine>> api() {
        return api.map(face -> face::serverEngine);
    }

    /** The server's side of connections to the management port. */
    public Optional<Supplier<SSLEngine>> management() {
        return management.map(face -> face::serverEngine);
    }

    /** Whether who connects to the API must show a certificate. */
    public boolean knowsCallers() {
        return api.filter(FaceTls::clientsShowTheirs).isPresent();
    }

    /** Whether who connects to the management port must show a certificate. */
    public boolean knowsOperators() {
        return management.filter(FaceTls::clientsShowTheirs).isPresent();
    }

    /** What is TLS and what is in the clear, for a person to read. */
    public String told() {
        return "API: %s; management port: %s; between nodes (remoting): %s"
                .formatted(told(api), told(management), remoting.isPresent() ? "TLS" : "in the clear");
    }

    private static String told(Optional<FaceTls> face) {
        return face.map(tls -> tls.clientsShowTheirs() ? "HTTPS with client certificates" : "HTTPS")
                .orElse("HTTP in the clear");
    }

    /** For all connections to workers: the platform's trust, unless there are files. */
    public SSLContext workers() {
        return workers.map(FaceTls::context).orElseGet(NodeTls::platform);
    }

    /** How an actor system speaks to the other nodes. */
    public ActorSystemSetup remoting() {
        return remoting.map(tls -> ActorSystemSetup.create(RemotingTls.setup(tls)))
                .orElseGet(ActorSystemSetup::empty);
    }

    /** The transport that goes with {@link #remoting()}, as Pekko names it. */
    public String transport() {
        return remoting.isPresent() ? "tls-tcp" : "tcp";
    }

    /** When the first of the own certificates ends; empty where there are none. */
    public Optional<Instant> notAfter() {
        return faces().stream()
                .map(FaceTls::notAfter)
                .min(Comparator.naturalOrder())
                .filter(end -> end.isBefore(Instant.MAX));
    }

    private static SSLContext platform() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no TLS on this platform", e);
        }
    }
}
