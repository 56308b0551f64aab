package io.kvrouter.cluster.permit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.util.Version;
import org.junit.jupiter.api.Test;

class DownedNodesTest {
    private long seconds = -3;
    private final DownedNodes nodes = new DownedNodes(Duration.ofSeconds(6), () -> seconds * 1_000_000_000);

    private static Member member(long uid, MemberStatus status) {
        var address = new UniqueAddress(new Address("pekko", "kvrouter", "h" + uid, 1), uid);
        return new Member(address, 1, status, new scala.collection.immutable.Set.Set1<>("dc-default"), Version.Zero());
    }

    @Test
    void aDownedNodeMayLiveOnForAWhileWhetherItIsRemovedOrNot() {
        nodes.learn(new ClusterEvent.MemberDowned(member(1, MemberStatus.down())));
        seconds += 2;
        nodes.learn(new ClusterEvent.MemberRemoved(member(1, MemberStatus.removed()), MemberStatus.down()));

        assertThat(nodes.left(1)).isEqualTo(Duration.ofSeconds(4));
        assertThat(nodes.resting()).containsExactly(1L);

        seconds += 4;
        assertThat(nodes.left(1)).isZero();
        assertThat(nodes.resting()).isEmpty();
    }

    @Test
    void oneOfWhichOnlyTheRemovalWasSeenMayToo() {
        nodes.learn(new ClusterEvent.MemberRemoved(member(1, MemberStatus.removed()), MemberStatus.up()));

        assertThat(nodes.left(1)).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void oneThatLeftByItselfIsGone() {
        nodes.learn(new ClusterEvent.MemberRemoved(member(1, MemberStatus.removed()), MemberStatus.exiting()));

        assertThat(nodes.left(1)).isZero();
        assertThat(nodes.resting()).isEmpty();
    }
}
