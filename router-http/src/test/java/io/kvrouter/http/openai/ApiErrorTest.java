package io.kvrouter.http.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ApiErrorTest {
    static ApiError[] errors() {
        return new ApiError[] {
            ApiError.badRequest("m"),
            ApiError.badRequest("m", "model"),
            ApiError.overrideNotEligible(),
            ApiError.refused(404, "unknown_path", "m"),
            ApiError.noWorker(),
            ApiError.allBusy(),
            ApiError.connectFailed(),
            ApiError.badGateway("truncated"),
            ApiError.internal()
        };
    }

    @ParameterizedTest
    @MethodSource("errors")
    void hasTheFourFieldsThatClientsRead(ApiError error) throws Exception {
        JsonNode json = new ObjectMapper().readTree(error.json());

        assertThat(json.properties()).hasSize(1);
        assertThat(json.at("/error/message").isTextual()).isTrue();
        assertThat(json.at("/error/type").isTextual()).isTrue();
        assertThat(json.at("/error").has("param")).isTrue();
        assertThat(json.at("/error/code").asText()).isEqualTo(error.reason());
    }

    @ParameterizedTest
    @MethodSource("errors")
    void isAnsweredAsJsonWithItsReason(ApiError error) {
        var response = error.response();

        assertThat(response.status().intValue()).isEqualTo(error.status());
        assertThat(header(error, "x-router-reason")).hasValue(error.reason());
        assertThat(((HttpEntity.Strict) response.entity()).getData().utf8String())
                .isEqualTo(error.json());
        assertThat(response.entity().getContentType()).hasToString("application/json");
    }

    @Test
    void saysThatToRetryABadRequestIsWasted() {
        assertThat(header(ApiError.badRequest("m"), "x-should-retry")).hasValue("false");
        assertThat(header(ApiError.badRequest("m"), "Retry-After")).isEmpty();
    }

    @Test
    void saysInWholeSecondsWhenToComeBack() {
        for (var error : new ApiError[] {ApiError.noWorker(), ApiError.allBusy(), ApiError.connectFailed()}) {
            assertThat(header(error, "Retry-After"))
                    .hasValueSatisfying(
                            seconds -> assertThat(Integer.parseInt(seconds)).isPositive());
            assertThat(header(error, "x-should-retry")).isEmpty();
        }
    }

    private static Optional<String> header(ApiError error, String name) {
        return error.response().getHeader(name).map(HttpHeader::value);
    }
}
