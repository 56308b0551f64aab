package io.kvrouter.cli.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A node, or simulated workers, as a process of its own, which ends with this process even if this one is killed. */
public final class ChildNode implements AutoCloseable {
    /** By name: the command line stands above this package. */
    private static final String MAIN = "io.kvrouter.cli.Main";

    private static final List<String> NODE = List.of("node");
    private static final long PATIENCE_S = 20;

    private final Process process;
    private final String readyPrefix;
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    private ChildNode(Process process, String readyPrefix) {
        this.process = process;
        this.readyPrefix = readyPrefix;
    }

    /** Starts {@code router node} with these arguments, on this JVM, with this class path and these JVM flags. */
    public static ChildNode start(List<String> arguments) throws IOException {
        return start(List.of(), arguments);
    }

    /** The same, with these JVM flags besides. */
    public static ChildNode start(List<String> jvmFlags, List<String> arguments) throws IOException {
        return start(NODE, jvmFlags, arguments);
    }

    /** The same for {@code router sim}. */
    public static ChildNode startWorkers(List<String> arguments) throws IOException {
        return start(List.of("sim"), List.of(), arguments);
    }

    /** The same for another command that knows {@code --until-stdin-closes} and prints a line when it is ready. */
    public static ChildNode startCommand(List<String> words) throws IOException {
        return start(words, List.of(), List.of());
    }

    private static ChildNode start(List<String> router, List<String> jvmFlags, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(router);
        command.add("--until-stdin-closes");
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var child = new ChildNode(process, router.equals(NODE) ? "ready " : "");
        Thread.ofPlatform().daemon().name("child-output").start(child::readOutput);
        return child;
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(readyPrefix)) {
                    ready.complete(line);
                }
            }
        } catch (IOException e) {
            // as its end
        }
        ready.completeExceptionally(new IllegalStateException("a child process ended before it was ready"));
    }

    /** The line that says that it is ready, of a node behind warnings that there may be; fails if it ends before. */
    public CompletableFuture<String> ready() {
        return ready;
    }

    public long pid() {
        return process.pid();
    }

    /** CPU time of all its threads so far, in steps of 10 ms on Linux; zero where the system doesn't tell. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** As {@code kill -9}; returns at once. */
    public void kill() {
        process.destroyForcibly();
    }

    /** As {@code kill}: SIGTERM, and nothing else; {@link Process#destroy} would close its input as well. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Completed with its exit code when it has ended. */
    public CompletableFuture<Integer> ended() {
        return process.onExit().thenApply(Process::exitValue);
    }

    public boolean alive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
