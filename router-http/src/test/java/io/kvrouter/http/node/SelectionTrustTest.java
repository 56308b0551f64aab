package io.kvrouter.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.settings.ConfigSources;
import io.kvrouter.http.settings.NodeSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.RemoteAddress;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may call the selection API. Requests are given to it as the server does, since tests' own come from loopback. */
class SelectionTrustTest {
    private static final String STRANGER = "192.0.2.7";
    private static final String BODY = "{\"model\":\"m\",\"token_ids\":[1]}";

    private static ActorSystem<Void> system;
    private static Endpoint api;

    @BeforeAll
    static void start() {
        var config = ConfigSources.load(
                Map.of(
                        "pekko.remote.artery.canonical.hostname", "127.0.0.1",
                        "pekko.remote.artery.canonical.port", "0",
                        "pekko.loglevel", "ERROR",
                        "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"),
                Map.of(),
                Optional.empty());
        var settings = NodeSettings.read(config);
        system = ActorSystem.create(Behaviors.empty(), "kvrouter", config);
        var own = PartSettings.read(config, settings.routing());
        api = new NodeParts(
                        system,
                        settings,
                        own,
                        NodeTokens.Loaded.load(settings.routing().tokens()),
                        NodeTrust.load(config, own.api().access()))
                .api(() -> true);
    }

    @AfterAll
    static void stop() throws Exception {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /select",
        "POST, /select_and_reserve",
        "POST, /reservations",
        "POST, /reservations/00000000000000aa-x/prefill_complete",
        "POST, /reservations/00000000000000aa-x/output_block",
        "DELETE, /reservations/00000000000000aa-x",
        "GET, /loads",
        "GET, /session_bindings/updates",
        "POST, /session_bindings",
        "GET, /select", // not even which method it takes
    })
    void aStrangerMayCallNothing(String method, String path) throws Exception {
        assertThat(reason(answer(method, path, STRANGER))).isEqualTo("403 not_trusted");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "127.3.2.1", "::1"})
    void callersOnLoopbackMay(String address) throws Exception {
        assertThat(answer("GET", "/loads", address).status().intValue()).isEqualTo(200);
    }

    @Test
    void whoseAddressIsNotKnownIsAStranger() throws Exception {
        var answer = answer(HttpRequest.GET("/loads"));

        assertThat(reason(answer)).isEqualTo("403 not_trusted");
    }

    @Test
    void aHeaderMakesNobodyTrusted() throws Exception {
        var request = request("GET", "/loads", STRANGER)
                .addHeader(RawHeader.create("x-forwarded-for", "127.0.0.1"))
                .addHeader(RawHeader.create("x-real-ip", "127.0.0.1"));

        assertThat(reason(answer(request))).isEqualTo("403 not_trusted");
    }

    private static HttpResponse answer(String method, String path, String address) throws Exception {
        return answer(request(method, path, address));
    }

    private static HttpResponse answer(HttpRequest request) throws Exception {
        return api.begin(request).response().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static HttpRequest request(String method, String path, String address) throws Exception {
        var caller = new InetSocketAddress(InetAddress.getByName(address), 50_000);
        var request = HttpRequest.create(path)
                .withMethod(HttpMethods.lookup(method).orElseThrow())
                .addAttribute(AttributeKeys.remoteAddress, RemoteAddress.create(caller));
        return method.equals("POST") ? request.withEntity(ContentTypes.APPLICATION_JSON, BODY) : request;
    }

    private static String reason(HttpResponse answer) {
        return answer.status().intValue() + " "
                + answer.getHeader("x-router-reason")
                        .map(header -> header.value())
                        .orElse("");
    }
}
