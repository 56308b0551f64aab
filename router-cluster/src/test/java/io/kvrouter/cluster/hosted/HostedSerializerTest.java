package io.kvrouter.cluster.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.hosted.HostedPeer.Ask;
import io.kvrouter.cluster.hosted.HostedPeer.Told;
import io.kvrouter.session.SessionKey;
import java.io.NotSerializableException;
import java.util.HexFormat;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class HostedSerializerTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void aQuestionComesBackAsItWas() throws NotSerializableException {
        var ask = new Ask(new SessionKey(-1, 7), KIT.<Told>createTestProbe().ref());

        assertThat(there(ask)).isEqualTo(ask);
    }

    @Test
    void anAnswerHasTheseBytes() throws NotSerializableException {
        var told = new Told(true, 300, 5);

        assertThat(HexFormat.of().formatHex(serializer(told).toBinary(told))).isEqualTo("0101ac0205");
        assertThat(there(told)).isEqualTo(told);
        assertThat(there(Told.NOT_HERE)).isEqualTo(Told.NOT_HERE);
    }

    @Test
    void aLaterFormatIsRefused() {
        var serializer = serializer(Told.NOT_HERE);

        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {2, 0, 0, 0}, "T"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("format 2");
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {1, 0}, "X"))
                .isInstanceOf(NotSerializableException.class);
    }

    private static Object there(Object message) throws NotSerializableException {
        var serializer = serializer(message);
        return serializer.fromBinary(serializer.toBinary(message), serializer.manifest(message));
    }

    private static SerializerWithStringManifest serializer(Object message) {
        return (SerializerWithStringManifest)
                SerializationExtension.get(Adapter.toClassic(KIT.system())).findSerializerFor(message);
    }
}
