package io.kvrouter.cluster.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReservationSerializerTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());
    private static final ActorRef<ReservationPeer.Reply> REPLIES =
            KIT.<ReservationPeer.Reply>createTestProbe().ref();
    private static final String NAME = "n-1";
    private static final String NAME_BYTES = "01036e2d31";

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(ask(new ReservationCall.Look(NAME)), "L", NAME_BYTES),
                Arguments.of(ask(new ReservationCall.PrefillComplete(NAME)), "P", NAME_BYTES),
                Arguments.of(ask(new ReservationCall.OutputBlock(NAME, OptionalLong.empty())), "O", NAME_BYTES + "00"),
                Arguments.of(ask(new ReservationCall.OutputBlock(NAME, OptionalLong.of(3))), "O", NAME_BYTES + "04"),
                Arguments.of(
                        ask(new ReservationCall.End(NAME, true, OptionalLong.of(300))), "E", NAME_BYTES + "01ad02"),
                Arguments.of(ask(new ReservationCall.End(NAME, false, OptionalLong.empty())), "E", NAME_BYTES + "0000"),
                Arguments.of(new ReservationPeer.Stands(Standing.BOOKED), "S", "0100"),
                Arguments.of(new ReservationPeer.Stands(Standing.UNKNOWN), "S", "0103"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void eachMessageHasBytesThatStay(Object message, String manifest, String hex) {
        var serializer = serializer(message);

        assertThat(serializer.manifest(message)).isEqualTo(manifest);
        assertThat(withoutReference(HexFormat.of().formatHex(serializer.toBinary(message))))
                .isEqualTo(hex);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void eachMessageIsReadAsItWasWritten(Object message, String manifest, String hex) throws NotSerializableException {
        var serializer = serializer(message);

        assertThat(serializer.fromBinary(serializer.toBinary(message), manifest))
                .isEqualTo(message);
    }

    @Test
    void aFormatOfALaterReleaseIsRefused() {
        var serializer = serializer(new ReservationPeer.Stands(Standing.ENDED));

        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {2, 0}, "S"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("format 2");
    }

    private static ReservationPeer.Ask ask(ReservationCall call) {
        return new ReservationPeer.Ask(call, REPLIES);
    }

    /** An actor's reference comes last, and its bytes are Pekko's. */
    private static String withoutReference(String hex) {
        int at = hex.indexOf(HexFormat.of().formatHex("pekko://".getBytes(StandardCharsets.US_ASCII)));
        return at < 0 ? hex : hex.substring(0, at - 2);
    }

    private static SerializerWithStringManifest serializer(Object message) {
        var serialization = SerializationExtension.get(Adapter.toClassic(KIT.system()));
        return (SerializerWithStringManifest) serialization.findSerializerFor(message);
    }
}
