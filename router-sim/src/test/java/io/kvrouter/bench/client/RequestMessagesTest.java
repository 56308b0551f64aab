package io.kvrouter.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestMessagesTest {
    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    @Test
    void aRequestIsItsFirstLineItsFieldsAndItsBody() {
        FullHttpRequest read =
                RequestMessages.read(bytes("POST /v1/x HTTP/1.1\r\nhost: a:1\r\nx-b:c\r\n\r\nthe\r\n\r\nbody"));

        assertThat(read.method()).isEqualTo(HttpMethod.POST);
        assertThat(read.uri()).isEqualTo("/v1/x");
        assertThat(read.headers()).hasSize(2);
        assertThat(read.headers().get("host")).isEqualTo("a:1");
        assertThat(read.headers().get("x-b")).isEqualTo("c");
        assertThat(read.content().toString(StandardCharsets.US_ASCII)).isEqualTo("the\r\n\r\nbody");
    }

    @Test
    void aHeadHasAnEnd() {
        ByteBuf cut = bytes("POST /v1/x HTTP/1.1\r\nhost: a:1\r\n");

        assertThatThrownBy(() -> RequestMessages.read(cut)).hasMessageContaining("end of its head");
    }
}
