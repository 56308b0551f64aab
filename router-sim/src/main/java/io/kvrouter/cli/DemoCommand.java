package io.kvrouter.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.cli.inspect.ManagementClient;
import io.kvrouter.cli.launch.ChildNode;
import io.kvrouter.cli.launch.NodeFlags;
import io.kvrouter.http.node.FreePorts;
import io.kvrouter.http.node.RouterNode;
import io.kvrouter.http.settings.NodeSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The router at work on one machine: nodes, simulated workers, and commands to paste. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Runs nodes with simulated workers on 127.0.0.1 until Ctrl-C.")
final class DemoCommand implements Callable<Integer> {
    private static final String HOST = "127.0.0.1";
    private static final int WORKERS = 3;
    private static final int POLL_MS = 100;
    private static final int PORT_IN_USE = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private DemoPorts ports = new DemoPorts();

    @Option(
            names = "--nodes",
            defaultValue = "1",
            description =
                    "Router nodes: 1 in this process, or several processes that join (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--session-ttl", defaultValue = "30m", description = "As for a node (default: ${DEFAULT-VALUE}).")
    private String sessionTtl = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (nodes < 1) {
            throw new ParameterException(spec.commandLine(), "--nodes: " + nodes + " (expected: at least 1)");
        }
        for (int node = 0; node < nodes; node++) {
            FreePorts.require(NodeSettings.read(flags(node, List.of()).load()).ports());
        }
        try (SimulatedFleet workers = SimulatedFleet.start(WORKERS, ports.worker, SimSettings.DEFAULT)) {
            return nodes == 1 ? runHere(workers.urls()) : runProcesses(workers.urls());
        } catch (UncheckedIOException e) {
            spec.commandLine().getErr().println("--worker-port: " + e.getMessage());
            return PORT_IN_USE;
        }
    }

    private Integer runHere(List<URI> workers) throws IOException, InterruptedException {
        RouterNode node =
                RouterNode.start(flags(0, workers).load()).toCompletableFuture().join();
        node.apiPort().toCompletableFuture().join();
        awaitWorkers();
        sayReady();
        node.terminated().toCompletableFuture().join();
        return 0;
    }

    private Integer runProcesses(List<URI> workers) throws IOException, InterruptedException {
        List<ChildNode> children = new ArrayList<>();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> children.parallelStream().forEach(ChildNode::close)));
        for (int node = 0; node < nodes; node++) {
            children.add(ChildNode.start(flags(node, workers).asArguments()));
        }
        CompletableFuture.allOf(children.stream().map(ChildNode::ready).toArray(CompletableFuture[]::new))
                .join();
        awaitWorkers();
        sayReady();
        new CompletableFuture<Void>().join(); // until Ctrl-C
        return 0;
    }

    private NodeFlags flags(int node, List<URI> workers) {
        var flags = new NodeFlags();
        flags.apiPort(Integer.toString(ports.api + node));
        flags.managementPort(Integer.toString(ports.management + node));
        flags.remotingPort(Integer.toString(ports.remoting + node));
        flags.sessionTtl(sessionTtl);
        flags.set("kvrouter.shutdown.grace", "0s");
        flags.set("kvrouter.shutdown.drain", "2s");
        // All leave at once, so that the last has nobody to tell it; and what Pekko says of it is not the demo's.
        flags.set("pekko.coordinated-shutdown.phases.cluster-exiting.timeout", "2s");
        flags.set("pekko.loglevel", "ERROR");
        if (nodes > 1) {
            flags.join(IntStream.range(0, nodes)
                    .mapToObj(i -> HOST + ":" + (ports.remoting + i))
                    .collect(Collectors.joining(",")));
        }
        if (!workers.isEmpty()) {
            flags.workerUrls(workers.stream().map(URI::toString).collect(Collectors.joining(",")));
        }
        return flags;
    }

    /** A turn that comes before a node has checked its workers would find none. */
    private void awaitWorkers() throws IOException, InterruptedException {
        for (int node = 0; node < nodes; node++) {
            try (var client = new ManagementClient(HOST, ports.management + node)) {
                while (!allUp(client.get("/workers").path("workers"))) {
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
            }
        }
    }

    private static boolean allUp(JsonNode workers) {
        int up = 0;
        for (JsonNode worker : workers) {
            up += worker.path("state").asText().equals("up") ? 1 : 0;
        }
        return up == WORKERS;
    }

    private void sayReady() {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%d node(s) and %d simulated workers run. A turn of a conversation:%n%n", nodes, WORKERS);
        out.printf(
                "curl -sN -D - http://%s:%d/v1/chat/completions -H 'content-type: application/json'"
                        + " -H 'x-session-id: s1' -d '%s'%n%n",
                HOST,
                ports.api,
                "{\"model\":\"sim-model\",\"stream\":true,\"max_tokens\":16,"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}");
        out.println("Where the session lives, and the whole cluster:\n");
        out.printf("curl -s http://%s:%d/router/sessions/s1%n", HOST, ports.management);
        out.printf("curl -s http://%s:%d/cluster/members%n", HOST, ports.management);
        out.printf("./router status --management-port %d%n%n", ports.management);
        out.println("Ctrl-C ends everything.");
        out.flush();
    }
}
