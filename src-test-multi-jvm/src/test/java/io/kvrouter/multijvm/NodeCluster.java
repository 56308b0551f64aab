package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Nodes that joined one another, by remoting ports that this machine had free; their other ports are any. */
final class NodeCluster implements AutoCloseable {
    /** Below the range that the system gives to outgoing connections, so that a port stays free until it is bound. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;

    private final String name;
    private final List<Integer> remotingPorts;
    private final List<Map<String, String>> settings;
    private final List<NodeProcess> nodes = new CopyOnWriteArrayList<>();

    private NodeCluster(String name, List<Map<String, String>> settings) {
        this.name = name;
        this.settings = settings;
        this.remotingPorts = freePorts(settings.size());
    }

    /** Starts a node for each map of settings, and waits until all are members and ready. */
    static NodeCluster start(String name, List<Map<String, String>> settings) throws Throwable {
        var cluster = new NodeCluster(name, settings);
        try {
            for (int i = 0; i < settings.size(); i++) {
                cluster.nodes.add(cluster.startNode(i));
            }
            cluster.awaitMembers();
            return cluster;
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
    }

    private NodeProcess startNode(int index) {
        Map<String, String> all = new TreeMap<>(settings.get(index));
        all.put("kvrouter.api-port", "0");
        all.put("kvrouter.management-port", "0");
        all.put("kvrouter.remoting-port", remotingPorts.get(index).toString());
        all.put(
                "kvrouter.join",
                remotingPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",")));
        return NodeProcess.start(name + "-" + index, all);
    }

    private void awaitMembers() throws Throwable {
        nodes.forEach(NodeProcess::awaitReady);
        for (NodeProcess node : nodes) {
            eventually(() -> assertThat(Management.of(node).upMembers()).hasSize(nodes.size()));
        }
    }

    /** Starts a node anew that has ended, with the settings and the address it had, and waits until it is back. */
    void restart(int index) throws Throwable {
        nodes.get(index).close();
        nodes.set(index, startNode(index));
        awaitMembers();
    }

    NodeProcess node(int index) {
        return nodes.get(index);
    }

    List<NodeProcess> nodes() {
        return List.copyOf(nodes);
    }

    List<NodeProcess> without(NodeProcess one) {
        return nodes.stream().filter(node -> node != one).toList();
    }

    private static List<Integer> freePorts(int count) {
        var random = new Random();
        List<Integer> free = new ArrayList<>();
        while (free.size() < count) {
            int port = FIRST_PORT + random.nextInt(PORTS);
            if (!free.contains(port) && isFree(port)) {
                free.add(port);
            }
        }
        return free;
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        nodes.forEach(NodeProcess::kill);
        nodes.forEach(NodeProcess::close);
    }
}
