package io.kvrouter.cli.launch;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import io.kvrouter.http.settings.ConfigSources;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a node. Each stands for a key of the configuration, and wins over environment and file. */
public final class NodeFlags {
    @Option(names = "--config", description = "HOCON file with settings under kvrouter.")
    private @Nullable Path config;

    private final Map<String, String> values = new LinkedHashMap<>();

    @Option(names = "--api-port", description = "Port of the OpenAI API (default: 30000).")
    public void apiPort(String value) {
        values.put("kvrouter.api-port", value);
    }

    @Option(names = "--http2-port", description = "Port of the same API by HTTP/2 (default: none).")
    public void http2Port(String value) {
        values.put("kvrouter.http2-port", value);
    }

    @Option(names = "--management-port", description = "Port of the management API (default: 7626).")
    public void managementPort(String value) {
        values.put("kvrouter.management-port", value);
    }

    @Option(names = "--management-host", description = "Address of the management API (default: 127.0.0.1).")
    public void managementHost(String value) {
        values.put("kvrouter.management-host", value);
    }

    @Option(names = "--remoting-port", description = "Port that the other nodes reach (default: 17355).")
    public void remotingPort(String value) {
        values.put("kvrouter.remoting-port", value);
    }

    @Option(names = "--host", description = "Address of API and remoting (default: 127.0.0.1).")
    public void host(String value) {
        values.put("kvrouter.host", value);
    }

    @Option(
            names = "--join",
            description = "The nodes as host:port[,host:port...], the same list on every node; or a DNS name that"
                    + " resolves to them, with --expected-nodes.")
    public void join(String value) {
        values.put("kvrouter.join", value);
    }

    @Option(names = "--expected-nodes", description = "Addresses that the DNS name of --join must resolve to.")
    public void expectedNodes(String value) {
        values.put("kvrouter.expected-nodes", value);
    }

    @Option(names = "--worker-urls", description = "Engines as http://host:port or https://host:port[,...].")
    public void workerUrls(String value) {
        values.put("kvrouter.worker-urls", value);
    }

    @Option(names = "--keys-file", description = "Who may use the node: a file made with ./router key.")
    public void keysFile(String value) {
        values.put("kvrouter.access.keys-file", value);
    }

    @Option(
            names = "--policy",
            description = "kv (default), least-load, power-of-two, round-robin, random or consistent-hash.")
    public void policy(String value) {
        values.put("kvrouter.policy", value);
    }

    @Option(names = "--max-concurrent-requests", description = "Requests of this node at a time (default: no bound).")
    public void requests(String value) {
        values.put("kvrouter.admission.requests", value);
    }

    @Option(
            names = "--max-requests-per-worker",
            description = "Those of all nodes on one worker at a time (default: no bound).")
    public void requestsPerWorker(String value) {
        values.put("kvrouter.admission.requests-per-worker", value);
    }

    @Option(names = "--queue-size", description = "Requests that may wait where all is full (default: 256).")
    public void queue(String value) {
        values.put("kvrouter.admission.queue", value);
    }

    @Option(names = "--queue-timeout-secs", description = "How long one may wait, in seconds (default: 20).")
    public void queueTimeout(String value) {
        values.put("kvrouter.admission.queue-timeout", value + "s");
    }

    @Option(
            names = "--model-dir",
            paramLabel = "MODEL=DIR",
            description = "Where tokenizer.json and chat template of a model are; may be repeated.")
    public void modelDirectories(Map<String, String> directories) {
        directories.forEach((model, directory) ->
                values.put("kvrouter.models." + ConfigUtil.quoteString(model) + ".directory", directory));
    }

    @Option(
            names = "--model-alias",
            paramLabel = "ALIAS=MODEL",
            description = "Another name under which requests may ask for a model; may be repeated.")
    public void modelAliases(Map<String, String> aliases) {
        aliases.forEach((alias, model) -> values.put("kvrouter.model-aliases." + ConfigUtil.quoteString(alias), model));
    }

    @Option(names = "--kv-events", description = "Workers publish KV events on the default ports, as vLLM does.")
    public void kvEvents(boolean value) {
        values.put("kvrouter.kv-events", Boolean.toString(value));
    }

    @Option(names = "--tls-cert-path", description = "Certificate chain of the API, as PEM: it is served by HTTPS.")
    public void tlsCertificate(String value) {
        values.put("kvrouter.tls.api.certificate", value);
    }

    @Option(names = "--tls-key-path", description = "Its private key, as PEM.")
    public void tlsKey(String value) {
        values.put("kvrouter.tls.api.key", value);
    }

    @Option(
            names = "--ca-cert-path",
            description = "Roots of https workers' certificates, as PEM (default: the JDK's).")
    public void workersCa(String value) {
        values.put("kvrouter.tls.workers.ca", value);
    }

    @Option(names = "--client-cert-path", description = "Certificate chain that is shown to https workers, as PEM.")
    public void workersCertificate(String value) {
        values.put("kvrouter.tls.workers.certificate", value);
    }

    @Option(names = "--client-key-path", description = "Its private key, as PEM.")
    public void workersKey(String value) {
        values.put("kvrouter.tls.workers.key", value);
    }

    @Option(names = "--access-log", paramLabel = "FILE", description = "A line of JSON for each request.")
    public void accessLog(String value) {
        values.put("kvrouter.access-log.file", value);
    }

    @Option(names = "--session-ttl", description = "Idle time after which a session leaves its worker; 0 = off.")
    public void sessionTtl(String value) {
        values.put("kvrouter.session-ttl", value);
    }

    @Option(names = "--session-mode", description = "soft (default), hard or off: what may move a session's turns.")
    public void sessionMode(String value) {
        values.put("kvrouter.session-mode", value);
    }

    /** Sets a key as a flag would. */
    public void set(String key, String value) {
        values.put(key, value);
    }

    /** The same settings, as arguments of another process. */
    public List<String> asArguments() {
        return values.entrySet().stream()
                .map(value -> "--set=" + value.getKey() + "=" + value.getValue())
                .toList();
    }

    @Option(names = "--set", description = "Any setting by its full key, as kvrouter.max-attempts=2.")
    public void set(Map<String, String> keys) {
        values.putAll(keys);
    }

    public Config load() {
        return ConfigSources.load(values, System.getenv(), Optional.ofNullable(config));
    }
}
