package io.kvrouter.http.node;

import io.kvrouter.access.share.SharedCaps;
import io.kvrouter.access.share.SharedTokens;
import io.kvrouter.cluster.caller.CallerClaims;
import io.kvrouter.http.access.AccessSettings;
import io.kvrouter.http.access.CallerQuota;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.access.Keys;
import io.kvrouter.http.access.KeysText;
import io.kvrouter.http.access.WorkerCredentials;
import io.kvrouter.http.file.WatchedFiles;
import io.kvrouter.http.settings.NodeSettings.Ports;
import io.kvrouter.http.settings.SettingException;
import io.kvrouter.http.tls.NodeTls;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may use this node, and by what its workers know it; read again as their files change. */
final class NodeAccess {
    /** How often its files are looked at. */
    static final Duration INTERVAL = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(NodeAccess.class);

    private final List<WatchedFiles<?, ?>> files = new ArrayList<>();
    private final Optional<Supplier<Keys>> keys;
    private final Gate gate;
    private final WorkerCredentials workers;

    private NodeAccess(AccessSettings settings, Map<String, String> environment) {
        keys = keys(settings);
        gate = keys.map(Gate::of).orElseGet(Gate::open);
        Map<URI, Supplier<String>> secrets = new HashMap<>();
        settings.workers()
                .forEach((url, secret) -> secrets.put(
                        url, checked("kvrouter.upstream.credentials", () -> watched(secret.open(environment)))));
        workers = new WorkerCredentials(secrets);
    }

    /** Reads all files for the first time. Throws {@link SettingException} for the first that can't be used. */
    static NodeAccess load(AccessSettings settings, Map<String, String> environment) {
        return new NodeAccess(settings, environment);
    }

    private Optional<Supplier<Keys>> keys(AccessSettings settings) {
        if (settings.file().isPresent()) {
            return Optional.of(checked(
                    "kvrouter.access.keys-file",
                    () -> watched(WatchedFiles.open(settings.file().get(), KeysText::parse))));
        }
        return settings.text().map(text -> {
            Keys fixed = checked("kvrouter.access.keys", () -> KeysText.parse(text));
            return () -> fixed;
        });
    }

    private <T> Supplier<T> watched(Supplier<T> value) {
        if (value instanceof WatchedFiles<?, ?> file) {
            files.add(file);
        }
        return value;
    }

    private static <T> T checked(String key, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException e) {
            throw new SettingException(key, String.valueOf(e.getMessage()));
        }
    }

    /** Looks at the files from now on, as long as the actor system runs. */
    void start(ActorSystem<?> system) {
        files.forEach(file -> file.watch(system, INTERVAL));
    }

    /** Says who may do what, and warns of a port that is open to others than this machine without asking who they are. */
    void tell(Ports ports, NodeTls tls) {
        int callers = keys.map(known -> known.get().callers().size()).orElse(0);
        int operators = keys.map(known -> known.get().operators().size()).orElse(0);
        boolean operated = keys.filter(known -> known.get().operated()).isPresent();
        LOG.info(
                "{}; {}",
                keys.isPresent()
                        ? "API: for the holders of " + callers + " keys"
                        : "no API keys: anyone who can connect to the API port may use it",
                operated
                        ? "management port: for the holders of " + operators + " keys"
                        : "no operators' keys: anyone who can connect to the management port may use it");
        if (keys.isEmpty() && !tls.knowsCallers()) {
            warn(ports.host(), "use the API", "give callers keys (kvrouter.access.keys-file)");
        }
        if (!operated && !tls.knowsOperators()) {
            warn(
                    ports.managementHost(),
                    "change the workers by the management port",
                    "give operators keys (kvrouter.access.keys-file), or bind it to loopback"
                            + " (kvrouter.management-host)");
        }
    }

    private static void warn(String host, String may, String remedy) {
        if (!isLoopback(host)) {
            LOG.warn("anyone who reaches {} may {}: {}", host, may, remedy);
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** The callers' limits, of which this node has a share from now on. Once per node. */
    static CallerQuota quota(ActorSystem<?> system, InstantSource clock) {
        var caps = new SharedCaps();
        var tokens = new SharedTokens();
        CallerClaims.start(system, caps, tokens, clock);
        return new CallerQuota(caps, tokens, clock);
    }

    /** Who is who, at both ports. */
    Gate gate() {
        return gate;
    }

    /** What workers are shown. */
    WorkerCredentials workers() {
        return workers;
    }
}
