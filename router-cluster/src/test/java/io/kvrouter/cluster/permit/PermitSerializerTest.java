package io.kvrouter.cluster.permit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.permit.PermitGrants;
import io.kvrouter.permit.PermitReport;
import io.kvrouter.worker.WorkerId;
import java.io.NotSerializableException;
import java.util.HexFormat;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PermitSerializerTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());
    private static final WorkerId WORKER = new WorkerId("w");

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    private static SerializerWithStringManifest serializer(PermitMessage message) {
        return (SerializerWithStringManifest)
                SerializationExtension.get(Adapter.toClassic(KIT.system())).findSerializerFor(message);
    }

    private static void hasBytes(PermitMessage message, String manifest, String hex) throws NotSerializableException {
        var serializer = serializer(message);
        byte[] bytes = serializer.toBinary(message);

        assertThat(serializer.manifest(message)).isEqualTo(manifest);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(hex);
        assertThat(serializer.fromBinary(bytes, manifest)).isEqualTo(message);
    }

    @Test
    void aReportHasTheseBytes() throws NotSerializableException {
        var rows = List.of(new PermitReport.Row(WORKER, 1, 300, 2, true), new PermitReport.Row(WORKER, 0, 0, 0, false));

        hasBytes(
                new PermitMessage.Told(new PermitReport(-1, 5, 300, true, rows)),
                "T",
                "01" + "ffffffffffffffff" + "05" + "ac02" + "01" + "02" + "0177" + "01ac020201" + "0177" + "00000000");
    }

    @Test
    void grantsHaveTheseBytes() throws NotSerializableException {
        hasBytes(
                new PermitMessage.Granted(new PermitGrants(5, List.of(new PermitGrants.Row(WORKER, 300, 2, 1, 0)))),
                "G",
                "01" + "05" + "01" + "0177" + "ac02" + "020100");
        hasBytes(new PermitMessage.Granted(new PermitGrants(5, List.of())), "G", "010500");
    }

    @Test
    void whatIsNoMessageIsRefused() {
        var serializer = serializer(new PermitMessage.Granted(new PermitGrants(1, List.of())));

        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {2}, "G"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("format 2");
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {1, 5, 100, 1}, "G"))
                .isInstanceOf(NotSerializableException.class);
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {1}, "X"))
                .isInstanceOf(NotSerializableException.class);
    }
}
