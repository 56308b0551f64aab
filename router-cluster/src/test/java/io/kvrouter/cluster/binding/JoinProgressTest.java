package io.kvrouter.cluster.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.session.SessionKey;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class JoinProgressTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());
    private static final ActorRef<BindingPeer.Command> PEER =
            KIT.<BindingPeer.Command>createTestProbe().ref();
    private static final Address MEMBER = PEER.path().address();
    private static final Address OTHER = new Address("pekko", "router", "127.0.0.1", 1);

    private final JoinProgress progress = new JoinProgress();

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void aMemberThatWasNotAskedMayBeReady() {
        assertThat(progress.nobodyReady(Set.of(MEMBER))).isFalse();
    }

    @Test
    void aMemberThatDidNotAnswerMayBeReady() {
        progress.ask(Set.of(MEMBER, OTHER));
        progress.heard(new BindingPeer.Readiness(false, PEER));

        assertThat(progress.nobodyReady(Set.of(MEMBER, OTHER))).isFalse();
    }

    @Test
    void nobodyIsReadyWhenEveryMemberSaysSo() {
        progress.ask(Set.of(MEMBER));
        progress.heard(new BindingPeer.Readiness(false, PEER));

        assertThat(progress.nobodyReady(Set.of(MEMBER))).isTrue();
    }

    @Test
    void anAnswerOfAnEarlierRoundDoesNotCount() {
        progress.ask(Set.of(MEMBER));
        progress.heard(new BindingPeer.Readiness(false, PEER));

        progress.ask(Set.of(MEMBER));

        assertThat(progress.nobodyReady(Set.of(MEMBER))).isFalse();
    }

    @Test
    void aReadyMemberThatIsGoneIsNotReadFrom() {
        progress.ask(Set.of(MEMBER));
        progress.heard(new BindingPeer.Readiness(true, PEER));
        assertThat(progress.source()).contains(PEER);

        progress.ask(Set.of(OTHER));

        assertThat(progress.source()).isEmpty();
    }

    @Test
    void isCompleteWhenEveryTableHasCome() {
        for (int table = 0; table < SessionKey.TABLES; table++) {
            assertThat(progress.complete()).isFalse();
            progress.read(table);
        }

        assertThat(progress.complete()).isTrue();
    }

    @Test
    void theNextTablesAreAskedForOncePerWindow() {
        long windows = progress.next().stream().filter(progress::read).count();

        assertThat(windows).isEqualTo(1);
        assertThat(progress.next()).first().isEqualTo(512);
        assertThat(progress.read(0)).isFalse();
    }
}
