package io.kvrouter.multijvm;

import io.kvrouter.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A router node in a JVM of its own. It ends with the test's JVM, even if that is killed: its standard input closes
 * then. What it logs is in a file under target/multi-jvm.
 */
final class NodeProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready api=(\\d+) management=(\\d+) remoting=(\\S+)");
    private static final Path LOGS = Path.of("target", "multi-jvm");
    private static final Set<NodeProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(NodeProcess::kill)));
    }

    private final String name;
    private final Process process;
    private final CompletableFuture<Matcher> ready = new CompletableFuture<>();

    private NodeProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        RUNNING.add(this);
    }

    /** Starts a node with these settings, each by its full key; does not wait for it. */
    static NodeProcess start(String name, Map<String, String> settings) {
        try {
            Files.createDirectories(LOGS);
            List<String> command = command();
            settings.forEach((key, value) -> command.add("--set=" + key + "=" + value));
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            LOGS.resolve(name + ".log").toFile()))
                    .start();
            var node = new NodeProcess(name, process);
            Thread.ofPlatform().daemon().name("output of " + name).start(node::readOutput);
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** This JVM with its own flags, but a small heap and a quick start. */
    private static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Dlogback.configurationFile=logback.xml"); // not the tests' own, which is on the class path too
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "node"));
        command.add("--until-stdin-closes");
        return command;
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = READY.matcher(line);
                if (matcher.matches()) {
                    ready.complete(matcher);
                }
            }
        } catch (IOException e) {
            // as its end
        }
        ready.completeExceptionally(new IllegalStateException("node " + name + " ended before it was ready"));
    }

    /** Waits until it takes requests. */
    NodeProcess awaitReady() {
        ready.orTimeout(2 * Eventually.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        return this;
    }

    /** Whether it takes requests, or has. */
    boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally();
    }

    String name() {
        return name;
    }

    URI api() {
        return URI.create("http://127.0.0.1:" + ready.join().group(1));
    }

    URI management() {
        return URI.create("http://127.0.0.1:" + ready.join().group(2));
    }

    /** Address of remoting, as it is in the names by which nodes call each other. */
    String address() {
        return ready.join().group(3);
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
    }

    /** As {@code kill}: SIGTERM, and nothing else; {@link Process#destroy} would close its input as well. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** It stands still, with all its connections open, until it is told to go on: SIGSTOP and SIGCONT. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + signal + ": exit code " + code);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Its exit code. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(2 * Eventually.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("node " + name + " did not end");
        }
        RUNNING.remove(this);
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
        RUNNING.remove(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
