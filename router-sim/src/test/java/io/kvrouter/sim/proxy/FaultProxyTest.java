package io.kvrouter.sim.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.bench.faults.client.Wire;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each way in which a connection can fail, seen from its client's end. */
class FaultProxyTest {
    private static final int PATIENCE_MS = 20_000;
    private static final int IN_THE_BODY = 150;

    private final SimulatedWorker worker = SimulatedWorker.start(SimSettings.DEFAULT);
    private volatile Fault fault = Fault.NONE;
    private final FaultProxy proxy = FaultProxy.before(worker.url(), () -> fault);

    @AfterEach
    void close() {
        proxy.close();
        worker.close();
        await(() -> proxy.open() == 0);
    }

    private static void await(BooleanSupplier claim) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!claim.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    private Wire connect(int patienceMs) throws IOException {
        return new Wire(proxy.url().getPort(), patienceMs);
    }

    private static void ask(Wire wire, String id) throws IOException {
        wire.send(("GET /metrics HTTP/1.1\r\nHost: w\r\nX-Request-Id: " + id + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
    }

    private static int answer(Wire wire, String id) throws IOException {
        ask(wire, id);
        Wire.Head head = wire.head();
        wire.body(head);
        return head.status();
    }

    private void fail(Fault.Kind kind) {
        fault = new Fault(kind, IN_THE_BODY);
    }

    @Test
    void whereNothingFailsItIsNotNoticed() throws IOException {
        try (Wire wire = connect(PATIENCE_MS)) {
            for (int i = 0; i < 5; i++) {
                assertThat(answer(wire, "r" + i)).isEqualTo(200);
            }
        }
        assertThat(proxy.met()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"CUT", "RESET", "HALF_CLOSE", "GARBAGE"})
    void anAnswerThatIsNotWholeEnds(Fault.Kind kind) throws IOException {
        fail(kind);

        try (Wire wire = connect(PATIENCE_MS)) {
            assertThatThrownBy(() -> answer(wire, "id-1")).isInstanceOfAny(EOFException.class, SocketException.class);
        }
        assertThat(proxy.met("id-1")).isTrue();
    }

    @Test
    void aResetIsOne() throws IOException {
        fail(Fault.Kind.RESET);

        try (Wire wire = connect(PATIENCE_MS)) {
            assertThatThrownBy(() -> answer(wire, "id-1")).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aStalledConnectionStaysOpenAndMeetsWhatIsSentOnIt() throws IOException {
        fail(Fault.Kind.STALL);

        try (Wire wire = connect(200)) {
            assertThatThrownBy(() -> answer(wire, "id-1")).isInstanceOf(SocketTimeoutException.class);
            ask(wire, "id-2");

            await(() -> proxy.met("id-2"));
            assertThat(proxy.open()).isEqualTo(1);
        }
    }

    @Test
    void aDripIsWholeInTheEnd() throws IOException {
        fail(Fault.Kind.DRIP);

        try (Wire wire = connect(PATIENCE_MS)) {
            assertThat(answer(wire, "id-1")).isEqualTo(200);
        }
    }

    @Test
    void aWorkerThatDiedRefusesAndResetsAndComesBackOnItsPort() throws IOException {
        try (Wire wire = connect(PATIENCE_MS)) {
            answer(wire, "id-1");

            proxy.refuse();

            assertThatThrownBy(() -> answer(wire, "id-2")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> connect(PATIENCE_MS)).isInstanceOf(ConnectException.class);
        }
        proxy.accept();
        try (Wire again = connect(PATIENCE_MS)) {
            assertThat(answer(again, "id-3")).isEqualTo(200);
        }
        assertThat(proxy.met("id-3")).isFalse();
    }

    @Test
    void idsAreFoundHoweverTheyAreCut() {
        var ids = new RequestIds();
        byte[] request =
                "POST / HTTP/1.1\r\nx-request-id: abc\r\nX-Request-Id: d\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        int found = 0;
        for (byte one : request) {
            found += ids.see(new byte[] {one}, 1) ? 1 : 0;
        }

        assertThat(found).isEqualTo(2);
        assertThat(ids.latest()).isEqualTo("d");
    }
}
