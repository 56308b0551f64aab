package io.kvrouter.cluster.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.access.share.Spent;
import io.kvrouter.cluster.caller.CallerClaims.Claims;
import java.io.NotSerializableException;
import java.util.HexFormat;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ClaimsSerializerTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    private static SerializerWithStringManifest serializer(Claims claims) {
        return (SerializerWithStringManifest)
                SerializationExtension.get(Adapter.toClassic(KIT.system())).findSerializerFor(claims);
    }

    /** Those of the release before there were tokens, which its nodes still read. */
    @Test
    void claimsHaveTheseBytes() throws NotSerializableException {
        var claims = new Claims(7, Map.of("b", 300, "a", 1), Map.of());

        byte[] bytes = serializer(claims).toBinary(claims);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("01000000000000000702016101" + "0162ac02");
        assertThat(serializer(claims).fromBinary(bytes, "C")).isEqualTo(claims);
    }

    @Test
    void tokensAreAddedInANewFormat() throws NotSerializableException {
        var claims = new Claims(7, Map.of("a", 1), Map.of("b", new Spent(1, 300, 2)));

        byte[] bytes = serializer(claims).toBinary(claims);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("020000000000000007" + "01016101" + "01016201ac0202");
        assertThat(serializer(claims).fromBinary(bytes, "C")).isEqualTo(claims);
    }

    @Test
    void noClaimsAreSomethingToSayToo() throws NotSerializableException {
        var none = new Claims(-1, Map.of(), Map.of());

        assertThat(serializer(none).fromBinary(serializer(none).toBinary(none), "C"))
                .isEqualTo(none);
    }

    @Test
    void whatIsNoMessageIsRefused() {
        var serializer = serializer(new Claims(1, Map.of(), Map.of()));

        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {3}, "C"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("format 3");
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 100, 1}, "C"))
                .isInstanceOf(NotSerializableException.class);
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {1}, "X"))
                .isInstanceOf(NotSerializableException.class);
    }
}
