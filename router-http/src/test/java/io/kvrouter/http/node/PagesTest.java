package io.kvrouter.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages in an operator's browser can do to a management port on loopback that asks for no key. */
class PagesTest {
    private static final String WORKER = "{\"url\":\"http://127.0.0.1:1\",\"id\":\"drawn\"}";
    private static TestRouter router;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of());
        router.management("POST", "/workers", "{\"url\":\"http://127.0.0.1:1\",\"id\":\"w\"}");
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String reason) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(TestRouter.json(answer).at("/error/code").asText()).isEqualTo(reason);
    }

    private static void nothingHasChanged() {
        assertThat(router.managed("/workers").findValuesAsText("id")).containsExactly("w");
        assertThat(router.managed("/workers/w").path("draining").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "text/plain;charset=UTF-8",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "text/plain; application/json",
                "application/json-seq",
                "text/json",
            })
    void aBodyThatDoesNotSayThatItIsJsonChangesNothing(String type) throws Exception {
        String change = "{\"draining\":true}";

        assertRefused(
                router.management("POST", "/workers", WORKER, "Content-Type", type), 415, "unsupported_media_type");
        assertRefused(
                router.management("PATCH", "/workers/w", change, "Content-Type", type), 415, "unsupported_media_type");
        nothingHasChanged();
    }

    @Test
    void aBodyThatSaysNothingChangesNothing() throws Exception {
        try (Peer page = Peer.connect(router.managementPort())) {
            String head = page.send("POST /workers HTTP/1.1\r\nHost: r\r\nContent-Length: " + WORKER.length()
                            + "\r\n\r\n" + WORKER)
                    .readHead();

            assertThat(head).startsWith("HTTP/1.1 415 ").contains("x-router-reason: unsupported_media_type");
        }
        nothingHasChanged();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json; charset=utf-8", "Application/JSON", "application/json;profile=x"})
    void jsonIsJsonWithParametersToo(String type) throws Exception {
        assertThat(router.management("POST", "/workers", WORKER, "Content-Type", type)
                        .statusCode())
                .isEqualTo(201);
        assertThat(router.management("DELETE", "/workers/drawn", "").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example.org",
                "null",
                "http://127.0.0.1",
                "http://127.0.0.1:1",
                "https://127.0.0.1:PORT",
                "http://localhost:PORT",
                "http://127.0.0.1:PORT.example.org",
                "http://127.0.0.1:PORT", // it serves no pages
            })
    void aPageChangesNothing(String text) throws Exception {
        String origin = text.replace("PORT", Integer.toString(router.managementPort()));

        assertRefused(router.management("DELETE", "/workers/w", "", "Origin", origin), 403, "not_for_pages");
        assertRefused(router.management("POST", "/workers", WORKER, "Origin", origin), 403, "not_for_pages");
        nothingHasChanged();
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /router/sessions?worker=w",
        "DELETE, /router/sessions/s",
        "DELETE, /router/sessions/key/0510fd74584ff962246ff84fc1c6fcd9",
        "PATCH, /workers/w",
        "POST, /router/explain",
        "PUT, /cluster/members/x",
        "OPTIONS, /workers",
    })
    void nothingButReadingIsForPages(String method, String path) throws Exception {
        var answer = router.management(method, path, "", "Origin", "https://evil.example.org");

        assertRefused(answer, 403, "not_for_pages");
        assertThat(answer.headers().firstValue("access-control-allow-origin")).isEmpty();
    }

    @Test
    void aPageWhoseNameWasPointedHereChangesNothing() throws Exception {
        try (Peer page = Peer.connect(router.managementPort())) {
            String head = page.send("DELETE /workers/w HTTP/1.1\r\nHost: evil.example.org\r\nOrigin: "
                            + "http://evil.example.org\r\n\r\n")
                    .readHead();

            assertThat(head).startsWith("HTTP/1.1 403 ").contains("x-router-reason: not_for_pages");
        }
        nothingHasChanged();
    }

    @Test
    void aReaderIsNotAskedWhoseItIs() throws Exception {
        assertThat(router.management("GET", "/workers", "", "Origin", "https://evil.example.org")
                        .statusCode())
                .isEqualTo(200);
    }
}
