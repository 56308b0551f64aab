package io.kvrouter.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.http.testing.TestAuthority;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorTlsTest {
    @Test
    void theEnvironmentNamesTheFiles(@TempDir Path directory) throws Exception {
        String ca = new TestAuthority().ca(directory).toString();

        assertThat(OperatorTls.from(Map.of())).isEmpty();
        assertThat(OperatorTls.from(Map.of("KVROUTER_OPERATOR_TLS_CA", ca))).isPresent();
        assertThatThrownBy(() -> OperatorTls.from(Map.of("KVROUTER_OPERATOR_TLS_CA", ca + "-absent")))
                .hasMessage("KVROUTER_OPERATOR_TLS.ca: " + ca + "-absent: can't be read");
    }
}
