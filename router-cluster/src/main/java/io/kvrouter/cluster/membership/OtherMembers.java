package io.kvrouter.cluster.membership;

import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;

/** Who else is in the cluster, as this node knows it now. */
public final class OtherMembers {
    private OtherMembers() {}

    /** All members but this node; one that can't be reached is a member until it is downed. */
    public static Stream<Member> of(Cluster cluster) {
        var self = cluster.selfMember().uniqueAddress();
        return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                .filter(member -> !member.uniqueAddress().equals(self))
                .filter(member -> !member.status().equals(MemberStatus.down()));
    }
}
