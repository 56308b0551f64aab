package io.kvrouter.cluster.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.KvEventEndpoints;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.io.NotSerializableException;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegisterSerializerTest {
    private static final RegisterEntry ENTRY = new RegisterEntry(
            new Registration(
                    new WorkerId("w1"),
                    URI.create("http://10.0.0.1:8000"),
                    "default",
                    new EngineFacts(
                            Set.of("m"),
                            Set.of(),
                            Optional.of(16),
                            Optional.empty(),
                            Optional.of(2),
                            Optional.of(1_700_000_000_000L),
                            Optional.empty()),
                    Map.of("rack", "r7"),
                    true,
                    Registration.Origin.STATIC),
            false,
            Set.of(42L));

    /** What a node of the first release wrote. */
    private static final String BYTES =
            "bf6c726567697374726174696f6ebf626964bf6576616c7565627731ff6375726c74687474703a2f2f31302e30"
                    + "2e302e313a383030306567726f75706764656661756c7466737461746564bf666d6f64656c7381616d68616461"
                    + "70746572738069626c6f636b53697a65106572616e6b73026b696e6361726e6174696f6e1b0000018bcfe56800"
                    + "ff666c6162656c73bf647261636b627237ff68647261696e696e67f5666f726967696e66535441544943ff6772"
                    + "656d6f766564f4656c6973747381182aff";

    private final RegisterSerializer serializer = new RegisterSerializer();
    private final ObjectMapper cbor = new CBORMapper();

    @Test
    void writesWhatItReads() throws Exception {
        assertThat(serializer.fromBinary(serializer.toBinary(ENTRY), serializer.manifest(ENTRY)))
                .isEqualTo(ENTRY);
    }

    @Test
    void writesWhereKvEventsArePublished() throws Exception {
        var registration = ENTRY.registration();
        var facts = new EngineFacts(
                Set.of("m"),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new KvEventEndpoints(true, List.of("tcp://h:1"), List.of("tcp://h:2"))));
        var entry = ENTRY.with(new Registration(
                registration.id(),
                registration.url(),
                registration.group(),
                facts,
                registration.labels(),
                false,
                Registration.Origin.API));

        assertThat(serializer.fromBinary(serializer.toBinary(entry), "E1")).isEqualTo(entry);
    }

    @Test
    void readsTheBytesOfTheFirstRelease() throws Exception {
        assertThat(serializer.fromBinary(HexFormat.of().parseHex(BYTES), "E1")).isEqualTo(ENTRY);
    }

    @Test
    void ignoresFieldsOfLaterReleases() throws Exception {
        ObjectNode later = (ObjectNode) cbor.readTree(serializer.toBinary(ENTRY));
        later.put("colour", "blue");
        ((ObjectNode) later.get("registration")).put("weight", 3);

        assertThat(serializer.fromBinary(cbor.writeValueAsBytes(later), "E1")).isEqualTo(ENTRY);
    }

    @Test
    void takesAnAbsentFactAsUnknown() throws Exception {
        ObjectNode earlier = (ObjectNode) cbor.readTree(serializer.toBinary(ENTRY));
        ((ObjectNode) earlier.at("/registration/stated")).remove("ranks");

        var read = (RegisterEntry) serializer.fromBinary(cbor.writeValueAsBytes(earlier), "E1");

        assertThat(read.registration().stated().ranks()).isEmpty();
    }

    @Test
    void refusesAnEntryWithoutAWorker() {
        assertThatThrownBy(() -> serializer.fromBinary(HexFormat.of().parseHex("a0"), "E1"))
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void refusesAFormatThatItDoesNotKnow() {
        assertThatThrownBy(() -> serializer.fromBinary(new byte[0], "E2"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("E2");
    }
}
