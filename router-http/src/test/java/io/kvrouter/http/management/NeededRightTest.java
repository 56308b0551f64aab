package io.kvrouter.http.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeededRightTest {
    @ParameterizedTest
    @CsvSource({
        "GET, /ready, none",
        "HEAD, /alive, none",
        "POST, /ready, change",
        "GET, /ready/, read",
        "GET, /workers, read",
        "POST, /workers, change",
        "GET, /workers/w, read",
        "PATCH, /workers/w, change",
        "DELETE, /workers/w, change",
        "GET, /router/load, read",
        "GET, /router/shards, read",
        "GET, /router/sessions, read",
        "GET, /router/sessions/s, read",
        "DELETE, /router/sessions, change",
        "DELETE, /router/sessions/s, change",
        "DELETE, /router/sessions/key/00, change",
        "POST, /router/explain, read",
        "POST, /router/explain/, change",
        "PUT, /router/explain, change",
        "GET, /metrics, read",
        "HEAD, /metrics, read",
        "GET, /cluster/members, read",
        "POST, /cluster/members, change",
        "PUT, /cluster, change",
        "DELETE, /cluster/members/pekko:%2F%2Fa, change",
        "OPTIONS, /workers, change",
        "GET, /nothing, read",
    })
    void readingAndChangingAreTwoRights(String method, String path, String right) {
        var request =
                HttpRequest.create(path).withMethod(HttpMethods.lookup(method).orElseThrow());

        assertThat(NeededRight.of(request)
                        .map(needed -> needed.name().toLowerCase(Locale.ROOT))
                        .orElse("none"))
                .isEqualTo(right);
    }
}
