package io.kvrouter.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.cli.launch.ChildNode;
import io.kvrouter.cli.launch.NodeFlags;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Nodes on this machine that join one another. All of them end with this process, and at its close. */
public final class LocalCluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    /** Below the range that the system gives to outgoing connections, so that a port stays free until it is bound. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;
    private static final int START_S = 180;

    /**
     * How nodes are started.
     *
     * @param jvmFlags of each node's process
     * @param settings of each node, by full key
     * @param joined whether they join one another; else each is a cluster of its own
     * @param ofLast settings that the last of those started together has besides
     */
    public record Launch(
            List<String> jvmFlags, Map<String, String> settings, boolean joined, Map<String, String> ofLast) {
        /** Of nodes that are all alike. */
        public Launch(List<String> jvmFlags, Map<String, String> settings, boolean joined) {
            this(jvmFlags, settings, joined, Map.of());
        }
    }

    private final Launch launch;
    private final int count;
    private final List<Integer> ports = new ArrayList<>();
    private final List<LocalNode> nodes = new ArrayList<>();
    /** Also those that were replaced; any thread, as Ctrl-C comes on its own. */
    private final Set<LocalNode> started = ConcurrentHashMap.newKeySet();

    private final Thread onExit = new Thread(() -> started.forEach(LocalNode::close));
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private LocalCluster(int count, Launch launch) {
        this.launch = launch;
        this.count = count;
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Starts so many nodes, and waits until each takes requests and finds so many workers up. */
    public static LocalCluster start(int count, int workers, Launch launch) throws IOException, InterruptedException {
        var cluster = new LocalCluster(count, launch);
        try {
            cluster.ports.addAll(freePorts(count, Set.of()));
            for (int i = 0; i < count; i++) {
                cluster.nodes.add(cluster.startNode(i));
            }
            for (LocalNode node : cluster.nodes) {
                awaitWorkers(node, workers);
            }
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** The nodes in the order of their first start, those that died since included. */
    public List<LocalNode> nodes() {
        return List.copyOf(nodes);
    }

    public List<LocalNode> alive() {
        return nodes.stream().filter(LocalNode::alive).toList();
    }

    /** Starts the first node that is gone anew, else one more; does not wait for it. */
    public LocalNode join() throws IOException {
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).alive()) {
                nodes.set(i, startNode(i));
                return nodes.get(i);
            }
        }
        ports.addAll(freePorts(1, new HashSet<>(ports)));
        nodes.add(startNode(nodes.size()));
        return nodes.getLast();
    }

    private LocalNode startNode(int index) throws IOException {
        var flags = new NodeFlags();
        flags.apiPort("0");
        flags.managementPort("0");
        flags.remotingPort(ports.get(index).toString());
        List<Integer> members = launch.joined() ? ports : ports.subList(index, index + 1);
        flags.join(members.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(",")));
        launch.settings().forEach(flags::set);
        if (index == count - 1) {
            launch.ofLast().forEach(flags::set);
        }
        var node = new LocalNode("node " + (index + 1), http, ChildNode.start(launch.jvmFlags(), flags.asArguments()));
        started.add(node);
        return node;
    }

    /** A turn that comes before a node has checked its workers would find none. */
    public static void awaitWorkers(LocalNode node, int workers) throws IOException, InterruptedException {
        URI unused = node.ready().orTimeout(START_S, TimeUnit.SECONDS).join();
        while (up(node.get("/workers").path("workers")) < workers) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static int up(JsonNode workers) {
        int up = 0;
        for (JsonNode worker : workers) {
            up += worker.path("state").asText().equals("up") ? 1 : 0;
        }
        return up;
    }

    /** Whether every living node sees just the living ones, all up and reachable, and every shard has a home. */
    public boolean whole() throws InterruptedException {
        try {
            Set<String> living = alive().stream().map(LocalNode::address).collect(Collectors.toSet());
            for (LocalNode node : alive()) {
                JsonNode view = node.get("/cluster/members");
                if (!view.path("unreachable").isEmpty() || !living.equals(upMembers(view))) {
                    return false;
                }
            }
            for (JsonNode shard : alive().getFirst().get("/router/shards").path("shards")) {
                if (shard.path("node").isNull()) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Set<String> upMembers(JsonNode view) {
        Set<String> members = new HashSet<>();
        for (JsonNode member : view.path("members")) {
            String address = member.path("node").asText();
            String status = member.path("status").asText();
            members.add(status.equals("Up") ? address.substring(address.lastIndexOf('@') + 1) : status);
        }
        return members;
    }

    private static List<Integer> freePorts(int count, Set<Integer> taken) {
        var random = RandomGenerator.getDefault();
        Set<Integer> free = new HashSet<>();
        while (free.size() < count) {
            int port = FIRST_PORT + random.nextInt(PORTS);
            if (!taken.contains(port) && isFree(port)) {
                free.add(port);
            }
        }
        return free.stream()
                .sorted()
                .toList(); // of two halves the one with the lowest address lives on: the first node
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Completed when all processes have ended. */
    private CompletableFuture<Void> ended() {
        return CompletableFuture.allOf(started.stream()
                .map(node -> ProcessHandle.of(node.pid())
                        .map(ProcessHandle::onExit)
                        .orElseGet(() -> CompletableFuture.completedFuture(null)))
                .toArray(CompletableFuture[]::new));
    }

    @Override
    public void close() {
        started.forEach(LocalNode::close);
        ended().orTimeout(START_S, TimeUnit.SECONDS).join();
        http.close();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException e) {
            // this process ends already
        }
    }
}
