package io.kvrouter.bench.proxy.peer;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An nginx of its own as a plain reverse proxy before one worker: its files in a folder of its own, a worker process per
 * core, connections to the worker kept, nothing buffered and nothing logged.
 */
public final class Nginx implements AutoCloseable {
    private static final int ATTEMPTS = 200;
    private static final long BETWEEN_NANOS = 50_000_000;
    private static final long PATIENCE_S = 10;

    /** Ends it when the one that started it is gone, for whatever reason. */
    private static final String UNTIL_STDIN_CLOSES =
            "\"$0\" -p \"$1\" -c nginx.conf & pid=$!; cat >/dev/null; kill $pid 2>/dev/null; wait $pid";

    private final Path folder;
    private final int port;
    private final Process process;

    private Nginx(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Starts it; nothing where there is no nginx on the PATH. */
    public static Optional<Nginx> start(URI worker) throws IOException {
        Optional<Path> binary = onPath();
        return binary.isEmpty() ? Optional.empty() : Optional.of(start(binary.get(), worker));
    }

    private static Optional<Path> onPath() {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Nginx start(Path binary, URI worker) throws IOException {
        Path folder = Files.createTempDirectory("kvrouter-nginx");
        int port = freePort();
        Files.writeString(folder.resolve("nginx.conf"), configuration(worker, port));
        Process process = new ProcessBuilder("sh", "-c", UNTIL_STDIN_CLOSES, binary.toString(), folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        var nginx = new Nginx(folder, port, process);
        nginx.awaitListening();
        return nginx;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String configuration(URI worker, int port) {
        return """
                daemon off;
                worker_processes auto;
                pid nginx.pid;
                error_log stderr crit;
                events { worker_connections 16384; }
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                  client_max_body_size 64m;
                  keepalive_timeout 1h;
                  keepalive_requests 1000000000;
                  upstream engine { server %s; keepalive 2048; keepalive_timeout 1h; keepalive_requests 1000000000; }
                  server {
                    listen 127.0.0.1:%d backlog=4096;
                    location / {
                      proxy_pass http://engine;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_buffering off;
                      proxy_request_buffering off;
                      proxy_read_timeout 1h;
                    }
                  }
                }
                """.formatted(worker.getAuthority(), port);
    }

    private void awaitListening() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
        }
        String errors = Files.readString(folder.resolve("errors"));
        close();
        throw new IOException("nginx does not listen: " + errors);
    }

    /** Its base URL. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** CPU time of all its processes so far, in steps of 10 ms on Linux. */
    public Duration cpu() {
        return process.descendants()
                .map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        List<ProcessHandle> all = process.descendants().toList();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                all.forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            delete();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
