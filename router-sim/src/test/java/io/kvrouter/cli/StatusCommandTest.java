package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
    private final Shell shell = new Shell("status", "--host", "127.0.0.1");

    /** As a port with TLS does with what is no TLS. */
    @Test
    void aPortThatHangsUpMaySpeakTls() throws Exception {
        try (var port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> hangUp(port));

            assertThat(shell.run("--management-port=" + port.getLocalPort())).isEqualTo(1);
        }

        assertThat(shell.err()).contains("may speak TLS", "KVROUTER_OPERATOR_TLS_CA");
    }

    @Test
    void aPortWhereNobodyIsDoesNot() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        assertThat(shell.run("--management-port=" + port)).isEqualTo(1);
        assertThat(shell.err()).startsWith("can't show the cluster").doesNotContain("TLS");
    }

    private static void hangUp(ServerSocket port) {
        try {
            while (true) {
                port.accept().close();
            }
        } catch (IOException e) {
            // closed
        }
    }
}
