package io.kvrouter.cli;

import io.kvrouter.cli.launch.NodeFlags;
import io.kvrouter.http.node.RouterNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs one node until it is stopped: SIGTERM lets running requests finish and leaves the cluster. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        description = "Runs one router node, alone or joined to others.",
        footer = {
            "",
            "Every setting also comes from the file of --config, single values from the environment too: KVROUTER_SESSION_TTL.",
            "Exit codes: 0 stopped, 2 bad setting or port in use, 17 downed by the others of its cluster."
        })
final class NodeCommand implements Callable<Integer> {
    private static final String DOWNED = "pekko.coordinated-shutdown.reason-overrides."
            + "\"org.apache.pekko.actor.CoordinatedShutdown$ClusterDowningReason$\".";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private NodeFlags flags = new NodeFlags();

    @Option(names = "--until-stdin-closes", hidden = true, description = "Stops when whoever started it is gone.")
    private boolean untilStdinCloses;

    private volatile boolean running;

    @Override
    public Integer call() {
        flags.set("pekko.coordinated-shutdown.exit-jvm", "on");
        flags.set(DOWNED + "exit-jvm", "on");
        flags.set(DOWNED + "exit-code", "17");
        RouterNode node = RouterNode.start(flags.load()).toCompletableFuture().join();
        if (untilStdinCloses) {
            Thread.ofPlatform().daemon().name("stdin").start(() -> stopAtEnd(System.in, node));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> exitCleanly(node)));
        int port = node.apiPort().toCompletableFuture().join();
        spec.commandLine()
                .getOut()
                .printf("ready api=%d management=%d remoting=%s%n", port, node.managementPort(), node.joinAddress());
        spec.commandLine().getOut().flush();
        running = true;
        node.terminated().toCompletableFuture().join();
        return 0;
    }

    /**
     * A signal that a running node obeys is no failure; a JVM that ends by one would say 130 or 143. A node that leaves
     * for another reason has begun to before this hook runs, on a thread that waits for it.
     */
    private void exitCleanly(RouterNode node) {
        if (running && !node.leavesByItself()) {
            node.terminated().toCompletableFuture().join();
            Runtime.getRuntime().halt(0);
        }
    }

    private static void stopAtEnd(InputStream in, RouterNode node) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // the same as its end
        }
        node.stop();
    }
}
