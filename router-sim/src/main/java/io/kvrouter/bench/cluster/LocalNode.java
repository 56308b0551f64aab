package io.kvrouter.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.cli.launch.ChildNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node of the cluster: a process, and what its ports tell. */
public final class LocalNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);
    private static final Pattern READY =
            Pattern.compile("ready api=(\\d+) management=(\\d+) remoting=(\\S+)(?: http2=(\\d+))?");
    private static final Duration TIMEOUT = Duration.ofSeconds(8);
    private static final int OK = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final HttpClient http;
    private final ChildNode process;
    private final CompletableFuture<Matcher> ports;
    private volatile boolean toEnd;

    LocalNode(String name, HttpClient http, ChildNode process) {
        this.name = name;
        this.http = http;
        this.process = process;
        this.ports = process.ready().thenApply(line -> {
            Matcher ready = READY.matcher(line);
            if (!ready.matches()) {
                throw new IllegalStateException("a node's ready line: " + line + " (expected: " + READY + ")");
            }
            return ready;
        });
        var unused = process.ended().thenAccept(this::tellEnd);
    }

    /** The figures of a run that loses a node unasked are worth nothing, and its exit code says why. */
    private void tellEnd(int exitCode) {
        if (!toEnd) {
            LOG.warn("{} ended by itself, exit code {}", name, exitCode);
        }
    }

    public String name() {
        return name;
    }

    /** Completed when it takes requests. */
    public CompletableFuture<URI> ready() {
        return ports.thenApply(ready -> URI.create("http://127.0.0.1:" + ready.group(1)));
    }

    /** Where it takes requests; waits until it does. */
    public URI api() {
        return ready().join();
    }

    /** The port by which it takes requests in HTTP/2, if it has one; waits until it does. */
    public OptionalInt http2Port() {
        String port = ports.join().group(4);
        return port == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port));
    }

    /** Its remoting address as host:port. */
    public String address() {
        return ports.join().group(3);
    }

    public boolean alive() {
        return process.alive();
    }

    public long pid() {
        return process.pid();
    }

    /** As {@code kill -9}. */
    public void kill() {
        toEnd = true;
        process.kill();
    }

    /** As {@code kill}: it leaves the cluster. */
    public void terminate() {
        toEnd = true;
        process.terminate();
    }

    /**
     * Stops its process with SIGSTOP, and goes on with it after this time. A shell of its own does both, so that it goes
     * on even if this process dies meanwhile.
     */
    public CompletableFuture<Process> pause(Duration time) throws IOException {
        String script = "kill -STOP $0; sleep $1; kill -CONT $0";
        String seconds = Double.toString(time.toMillis() / 1e3);
        return new ProcessBuilder("sh", "-c", script, Long.toString(pid()), seconds)
                .start()
                .onExit();
    }

    /** Its metrics now; those of no node at all if it does not answer. */
    public Scrape scrape() throws InterruptedException {
        if (!alive() || !ports.isDone()) {
            return Scrape.NONE;
        }
        try {
            return Scrape.of(text("/metrics"));
        } catch (IOException e) {
            return Scrape.NONE;
        }
    }

    /** Processor time of its process so far. */
    public double cpuSeconds() {
        return process.cpu().toMillis() / 1e3;
    }

    /** Collects its garbage, all of it. */
    public void collectGarbage() throws IOException, InterruptedException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var collecting = new ProcessBuilder(jcmd, Long.toString(pid()), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!collecting.waitFor(1, TimeUnit.MINUTES)) {
            collecting.destroyForcibly();
        }
    }

    /** What its management port answers as JSON. */
    public JsonNode get(String path) throws IOException, InterruptedException {
        return JSON.readTree(text(path));
    }

    /** Sends JSON to its management port, which takes it. */
    public void post(String path, JsonNode body) throws IOException, InterruptedException {
        String unused = send(
                path,
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
    }

    /** Changes something by its management port, which may refuse; answers the status. */
    public int change(String method, String path, JsonNode body) throws IOException, InterruptedException {
        var request = request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private String text(String path) throws IOException, InterruptedException {
        return send(path, request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ports.join().group(2) + path))
                .timeout(TIMEOUT);
    }

    private String send(String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() / 100 * 100 != OK) {
            throw new IOException(path + " answers " + answer.statusCode());
        }
        return answer.body();
    }

    /** Its process ends at once. */
    @Override
    public void close() {
        kill();
    }
}
