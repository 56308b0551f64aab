package io.kvrouter.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerCredentialsTest {
    private static final URI OURS = URI.create("http://w:8000");
    private static final URI OTHER = URI.create("http://w:8001");

    private final WorkerCredentials credentials = new WorkerCredentials(Map.of(OURS, () -> "engine"));

    private static UpstreamRequest request(URI worker, String... headers) {
        var all = Stream.of(headers)
                .map(header -> header.split(": ", 2))
                .map(header -> new Header(header[0], header[1]))
                .toList();
        return new UpstreamRequest(worker, "POST", "/v1/completions", all, ByteString.emptyByteString());
    }

    private static List<String> names(UpstreamRequest request) {
        return request.headers().stream()
                .map(header -> header.name() + ": " + header.value())
                .toList();
    }

    @Test
    void aWorkerSeesOneCredentialAndItIsOurs() {
        var signed = credentials.sign(request(
                OURS,
                "authorization: Bearer mine",
                "Authorization: Basic x",
                "X-Api-Key: mine",
                "x_api_key: a",
                "b: c"));

        assertThat(names(signed)).containsExactly("b: c", "Authorization: Bearer engine");
    }

    @Test
    void ofAnotherAddressItHearsNothing() {
        assertThat(names(credentials.sign(request(OTHER, "authorization: Bearer mine"))))
                .containsExactly("authorization: Bearer mine");
        assertThat(credentials
                        .sign(HttpRequest.newBuilder(OTHER), OTHER)
                        .build()
                        .headers()
                        .map())
                .isEmpty();
    }

    @Test
    void theRoutersOwnQuestionsShowItToo() {
        assertThat(credentials
                        .sign(HttpRequest.newBuilder(OURS), OURS)
                        .build()
                        .headers()
                        .allValues("authorization"))
                .containsExactly("Bearer engine");
    }

    @Test
    void aSecretIsTheWordOfAFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), " engine\n");

        assertThat(SecretSource.parse("file:" + file).open(Map.of()).get()).isEqualTo("engine");
    }

    @Test
    void orAVariableOfTheEnvironment() {
        assertThat(SecretSource.parse("env:ENGINE")
                        .open(Map.of("ENGINE", "engine"))
                        .get())
                .isEqualTo("engine");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretSource.parse("env:ENGINE").open(Map.of()))
                .withMessageContaining("ENGINE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a-secret", "Bearer a-secret", "file:", "env:a-secret b", "env:", ""})
    void aSecretItselfIsRefusedAndNotRepeated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretSource.parse(text))
                .withMessageNotContaining("a-secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\r\nx-evil: 1", "\u00e4", ""})
    void whatCantStandInAHeaderIsNoSecret(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretSource.parse("env:S").open(Map.of("S", text)))
                .withMessage("S: no secret (expected: one word of visible ASCII)");
    }
}
