package io.kvrouter.http.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DialectTest {
    @ParameterizedTest
    @CsvSource({
        "400, invalid_request_error",
        "401, authentication_error",
        "403, permission_error",
        "404, not_found_error",
        "405, invalid_request_error",
        "413, request_too_large",
        "429, rate_limit_error",
        "500, api_error",
        "502, api_error",
        "503, overloaded_error",
    })
    void anthropicsTypesGoByTheStatus(int status, String type) throws Exception {
        var error = ApiError.refused(status, "reason", "What is \"wrong\".");

        var json = new ObjectMapper().readTree(Dialect.ANTHROPIC.json(error));

        assertThat(json.path("type").asText()).isEqualTo("error");
        assertThat(json.at("/error/type").asText()).isEqualTo(type);
        assertThat(json.at("/error/message").asText()).isEqualTo("What is \"wrong\".");
    }

    @ParameterizedTest
    @EnumSource
    void headersSayTheSameInEveryDialect(Dialect dialect) {
        var response = dialect.response(ApiError.modelNotServed());

        assertThat(response.getHeader("x-router-reason"))
                .hasValueSatisfying(h -> assertThat(h.value()).isEqualTo("model_not_served"));
        assertThat(response.getHeader("x-should-retry")).isPresent();
        assertThat(response.getHeader("retry-after")).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void anEventIsOneThoughTheOneBeforeItWasCut(Dialect dialect) {
        assertThat(dialect.event(ApiError.badGateway("stream_broken")).utf8String())
                .startsWith("\n\nevent: error\ndata: {")
                .endsWith("}\n\n")
                .matches("(?s)\\n\\n[^\\n]+\\n[^\\n]+\\n\\n");
    }
}
