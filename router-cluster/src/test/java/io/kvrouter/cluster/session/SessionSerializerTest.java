package io.kvrouter.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.binding.BindingPeer;
import io.kvrouter.cluster.binding.table.BindingTableData;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState.Applied;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.session.TurnId;
import io.kvrouter.worker.WorkerId;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
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

class SessionSerializerTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());
    private static final ActorRef<Answer> ANSWERS =
            KIT.<Answer>createTestProbe().ref();
    private static final ActorRef<Applied> APPLICATIONS =
            KIT.<Applied>createTestProbe().ref();
    private static final ActorRef<BindingPeer.Taken> TAKERS =
            KIT.<BindingPeer.Taken>createTestProbe().ref();
    private static final ActorRef<BindingPeer.Reply> REPLIES =
            KIT.<BindingPeer.Reply>createTestProbe().ref();
    private static final ActorRef<BindingPeer.Command> PEER =
            KIT.<BindingPeer.Command>createTestProbe().ref();

    private static final SessionKey KEY = new SessionKey(0x0102030405060708L, 0x090A0B0C0D0E0F10L);
    private static final WorkerId A = new WorkerId("a");
    private static final Turn TURN = new Turn(new TurnId(-1, 300), 1_800_000);
    private static final Known AT_A = new Known(0x10000L, A, 2);
    private static final Proposal TO_A = new Proposal(7, A, 1, Known.removed(7));
    private static final TurnEnd END = new TurnEnd(TURN, AT_A, true, 500, false);
    private static final BindingTable TABLE = BindingTable.of(
            5,
            List.of(
                    new BindingRow(KEY, 0x10000L, A, 2, 1_000),
                    new BindingRow(new SessionKey(-1, 1), 0x20000L, null, 0, 2_000)));

    private static final String KEY_BYTES = "010102030405060708090a0b0c0d0e0f10";
    private static final String TURN_BYTES = "ffffffffffffffffac02c0ee6d";
    private static final String TABLE_BYTES = "05010161020102030405060708090a0b0c0d0e0f1000000000000100000102e807ff"
            + "ffffffffffffff000000000000000100000000000200000000d00f";

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(
                        to(new SessionActor.Follow(TURN, AT_A, ANSWERS)),
                        "F",
                        KEY_BYTES + TURN_BYTES + "0000000000010000016102"),
                Arguments.of(
                        to(new SessionActor.Bind(TURN, TO_A, ANSWERS)),
                        "B",
                        KEY_BYTES + TURN_BYTES + "000000000000000701610100000000000000070000"),
                Arguments.of(
                        to(new SessionActor.KeepTurn(TURN, AT_A)),
                        "K",
                        KEY_BYTES + TURN_BYTES + "0000000000010000016102"),
                Arguments.of(
                        to(new SessionActor.EndTurn(END)),
                        "E",
                        KEY_BYTES + TURN_BYTES + "000000000001000001610201f40300"),
                Arguments.of(to(new SessionActor.Unbind(ANSWERS)), "U", KEY_BYTES));
    }

    static Stream<Arguments> answersAndTables() {
        return Stream.of(
                Arguments.of(
                        new Answer.Bound(new Binding(A, 2, 0x10000L), 500, Answer.How.REBOUND),
                        "b",
                        "010000000000010000016102f40302"),
                Arguments.of(
                        to(new SessionActor.Apply(AT_A, 300, APPLICATIONS)),
                        "A",
                        KEY_BYTES + "0000000000010000016102ac02"),
                Arguments.of(new Applied(Applied.Outcome.REPLACED, AT_A), "a", "01020000000000010000016102"),
                Arguments.of(new Answer.Unbound(9), "u", "010000000000000009"),
                Arguments.of(BindingTableData.of(TABLE), "D", "01" + TABLE_BYTES),
                Arguments.of(new BindingPeer.Probe(REPLIES), "P", "01"),
                Arguments.of(new BindingPeer.Readiness(true, PEER), "p", "0101"),
                Arguments.of(new BindingPeer.Read(300, REPLIES), "R", "01ac02"),
                Arguments.of(new BindingPeer.TableRead(300, TABLE), "r", "01ac02" + TABLE_BYTES),
                Arguments.of(new BindingPeer.Rows(300, TABLE, TAKERS), "W", "01ac02" + TABLE_BYTES),
                Arguments.of(new BindingPeer.Taken(300, -2), "w", "01ac02fffffffffffffffe"));
    }

    @ParameterizedTest
    @MethodSource({"messages", "answersAndTables"})
    void eachMessageHasBytesThatStay(Object message, String manifest, String hex) {
        var serializer = serializer(message);

        var bytes = HexFormat.of().formatHex(serializer.toBinary(message));

        assertThat(serializer.manifest(message)).isEqualTo(manifest);
        assertThat(withoutReference(bytes)).isEqualTo(hex);
    }

    @ParameterizedTest
    @MethodSource({"messages", "answersAndTables"})
    void eachMessageIsReadAsItWasWritten(Object message, String manifest, String hex) throws NotSerializableException {
        var serializer = serializer(message);

        var read = serializer.fromBinary(serializer.toBinary(message), manifest);

        assertThat(read).isEqualTo(message);
    }

    @Test
    void equalTablesHaveEqualBytes() {
        var merged = BindingTable.of(TABLE.row(1))
                .merge(BindingTable.of(TABLE.row(0)))
                .raiseFloor(5);

        var data = BindingTableData.of(merged);

        assertThat(serializer(data).toBinary(data)).isEqualTo(serializer(data).toBinary(BindingTableData.of(TABLE)));
    }

    @Test
    void aFormatOfALaterReleaseIsRefused() {
        var serializer = serializer(new Answer.Unbound(9));

        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {2}, "u"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("format 2");
    }

    @Test
    void brokenBytesAreRefused() {
        var serializer = serializer(BindingTableData.of(TABLE));

        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {1, 0, 127}, "D"))
                .isInstanceOf(NotSerializableException.class);
    }

    @Test
    void keepsItsIdentifier() {
        assertThat(serializer(new Answer.Unbound(9)).identifier()).isEqualTo(761_002);
    }

    private static ToSession to(SessionActor.Request request) {
        return new ToSession(KEY, request);
    }

    /** An actor's reference comes last, and its bytes are Pekko's. */
    private static String withoutReference(String hex) {
        var path = HexFormat.of().formatHex("pekko://".getBytes(StandardCharsets.US_ASCII));
        int at = hex.indexOf(path);
        return at < 0 ? hex : hex.substring(0, at - 2);
    }

    private static SerializerWithStringManifest serializer(Object message) {
        var serialization = SerializationExtension.get(Adapter.toClassic(KIT.system()));
        return (SerializerWithStringManifest) serialization.findSerializerFor(message);
    }
}
