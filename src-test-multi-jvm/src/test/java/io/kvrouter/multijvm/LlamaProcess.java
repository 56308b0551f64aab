package io.kvrouter.multijvm;

import io.kvrouter.llama.LlamaWorker;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A real engine in a JVM of its own, so that its log is its own, and its computing too. It ends when its standard input
 * closes, and so with the test's JVM. All its files are in one directory.
 */
final class LlamaProcess implements AutoCloseable {
    private static final String READY = "ready ";

    private final Process process;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private LlamaProcess(Process process) {
        this.process = process;
    }

    /** Starts it with this model; does not wait for it. The binding deletes all files there that begin with its name. */
    static LlamaProcess start(Path model, Path directory) throws IOException {
        Files.createDirectories(directory);
        Path log = directory.resolve("engine.log");
        var engine = new LlamaProcess(new ProcessBuilder(command(model, directory, log))
                .redirectError(log.toFile())
                .start());
        Thread.ofPlatform().daemon().name("output of " + directory).start(engine::readOutput);
        return engine;
    }

    private static List<String> command(Path model, Path directory, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.add("-Dde.kherud.llama.tmpdir=" + directory);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), LlamaWorker.class.getName()));
        command.addAll(List.of(model.toString(), log.toString()));
        return command;
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(READY)) {
                    port.complete(Integer.valueOf(line.substring(READY.length())));
                }
            }
        } catch (IOException e) {
            // as its end
        }
        port.completeExceptionally(new IllegalStateException("the engine ended before it was ready"));
    }

    /** Waits until it takes requests. */
    URI url() {
        int ready = port.orTimeout(2 * Eventually.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        return URI.create("http://127.0.0.1:" + ready);
    }

    /** Its files are written and closed when this returns. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit()
                .orTimeout(Eventually.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .whenComplete((exited, late) -> process.destroyForcibly())
                .exceptionally(late -> process)
                .join();
        process.onExit().join();
    }
}
