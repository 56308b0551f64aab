package io.kvrouter.http.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SurfaceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/../metrics",
                "/v1/..%2F..%2Fmetrics",
                "/v1/..%2f..%2fmetrics",
                "/v1/..%5Cmetrics",
                "/v1/..%5cmetrics",
                "/v1/a/.%2Fb",
                "/v1/a%2F..",
                "/v1/x%2F..%2Fload_lora_adapter",
                "/v1/messages/..%2F..%2Fmetrics",
                "/v1/load_lora_adapter",
                "/v1/load_lora_adapter/",
                "/v1/load_lora_adapter//",
                "/v1//unload_lora_adapter",
                "/v1/%2Funload_lora_adapter%2F",
                "/v1/%5Cload_lora_adapter",
                "/v1/a/load_lora_adapter%2f/",
                "/v1%2Ffiles",
                "/v1",
            })
    void isNothingWhereAWorkerCouldReadAnotherPath(String path) {
        assertThat(Surface.at(path)).isEqualTo(new Surface.Nothing());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/files/a%2Fb",
                "/v1/files//a/",
                "/v1/files/..a/b..",
                "/v1/files/a.b%5Cc",
                "/v1/load_lora_adapters",
                "/v1/load_lora_adapter/of",
            })
    void passesAllElseAsItCame(String path) {
        assertThat(Surface.at(path))
                .isInstanceOfSatisfying(
                        Surface.Forwarded.class,
                        forwarded -> assertThat(forwarded.path()).isEqualTo(path));
    }
}
