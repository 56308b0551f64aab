package io.kvrouter.cli.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.tls.OperatorTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;

/** Reads what a node's management API shows; with the key that {@code KVROUTER_OPERATOR_KEY} holds, if it does. */
public final class ManagementClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String KEY = "KVROUTER_OPERATOR_KEY";
    private static final String PLAIN = "http://";
    private static final String MAYBE_TLS =
            " (the port may speak TLS: name its authority's certificate, a PEM file, by KVROUTER_OPERATOR_TLS_CA)";
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final String base;
    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client;

    public ManagementClient(String host, int port) {
        var tls = OperatorTls.from(System.getenv());
        base = (tls.isPresent() ? "https://" : PLAIN) + host + ":" + port;
        var builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
        tls.ifPresent(builder::sslContext);
        client = builder.build();
    }

    /** The JSON at a path; any answer but 200 is an {@link IOException}. */
    public JsonNode get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(base + path)));
    }

    /** The JSON that answers a body; any answer but 200 and 201 is an {@link IOException} with what it says. */
    public JsonNode post(String path, byte[] body, Map<String, String> headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        return send(request);
    }

    private JsonNode send(HttpRequest.Builder builder) throws IOException, InterruptedException {
        String key = System.getenv().getOrDefault(KEY, "");
        if (!key.isBlank()) {
            builder.setHeader("Authorization", "Bearer " + key.strip());
        }
        HttpRequest request = builder.timeout(TIMEOUT).build();
        var response = answer(request);
        if (response.statusCode() != OK && response.statusCode() != CREATED) {
            throw new IOException(request.uri().getPath() + " answers " + response.statusCode() + " "
                    + response.body().strip());
        }
        return json.readTree(response.body());
    }

    /** A port with TLS hangs up on what is no TLS, or answers with what is no HTTP. */
    private HttpResponse<String> answer(HttpRequest request) throws IOException, InterruptedException {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (ConnectException | HttpTimeoutException e) {
            throw e;
        } catch (IOException e) {
            throw base.startsWith(PLAIN) ? new IOException(e.getMessage() + MAYBE_TLS, e) : e;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
