package io.kvrouter.cluster.session;

import io.kvrouter.cluster.binding.Bindings;
import io.kvrouter.cluster.hosted.HostedSessions;
import io.kvrouter.session.SessionKey;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.cluster.sharding.typed.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.ShardingMessageExtractor;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;

/** Where session actors live: 128 shards, by the session's key, so that a shard's bindings are in tables of its own. */
final class SessionShards {
    static final EntityTypeKey<SessionActor.Command> TYPE = EntityTypeKey.create(SessionActor.Command.class, "session");

    private static final String DISPATCHER = "kvrouter-session-dispatcher";

    private SessionShards() {}

    /** From now on this node hosts shards. */
    static ActorRef<ToSession> host(ActorSystem<?> system, Bindings bindings, HostedSessions hosted) {
        var entity = Entity.of(
                        TYPE,
                        context -> SessionActor.create(
                                SessionKey.parse(context.getEntityId()),
                                new SessionActor.Home(bindings, hosted, context.getShard())))
                .withMessageExtractor(new ByKey())
                .withStopMessage(SessionActor.Own.STOP)
                .withEntityProps(DispatcherSelector.fromConfig(DISPATCHER))
                .withSettings(settings(system));
        return ClusterSharding.get(system).init(entity);
    }

    /** The library's own passivation would count messages on a clock of its own: it is off, whatever is configured. */
    static ClusterShardingSettings settings(ActorSystem<?> system) {
        return ClusterShardingSettings.create(system).withNoPassivationStrategy();
    }

    private static final class ByKey extends ShardingMessageExtractor<ToSession, SessionActor.Command> {
        @Override
        public String entityId(ToSession message) {
            return message.key().toString();
        }

        @Override
        public String shardId(String entityId) {
            return Integer.toString(SessionKey.parse(entityId).shard());
        }

        @Override
        public SessionActor.Command unwrapMessage(ToSession message) {
            return message.request();
        }
    }
}
