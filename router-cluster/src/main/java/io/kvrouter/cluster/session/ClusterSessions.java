package io.kvrouter.cluster.session;

import io.kvrouter.cluster.binding.NodeBindings;
import io.kvrouter.cluster.hosted.HostedSessions;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.session.TurnId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

/** {@link Sessions} over sharded actors and this node's replica. Hosts shards as soon as all bindings were read. */
public final class ClusterSessions implements Sessions {
    /** How long an ask lives: longer than a shard of a dead node takes to find a new home. */
    private static final Duration ASK_LIFETIME = Duration.ofSeconds(30);

    private final ActorSystem<?> system;
    private final NodeBindings bindings;
    private final AskMeter meter;
    private final HostedSessions hosted = new HostedSessions();
    private final CompletionStage<ActorRef<ToSession>> region;
    final ShardSilence silence = new ShardSilence();
    final ProvisionalBindings provisional = new ProvisionalBindings();
    final LongAdder asks = new LongAdder();
    final LongAdder answers = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder unawaited = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder remembered = new LongAdder();
    final LongAdder repeated = new LongAdder();
    /** What turns have asked and waited for longer than usual: they end after it. */
    final Map<TurnId, CompletableFuture<Answer>> unheard = new ConcurrentHashMap<>();

    private ClusterSessions(ActorSystem<?> system, NodeBindings bindings, AskMeter meter) {
        this.system = system;
        this.bindings = bindings;
        this.meter = meter;
        this.region = bindings.ready().thenApply(done -> SessionShards.host(system, bindings, hosted));
    }

    /** Once per actor system. */
    public static ClusterSessions start(ActorSystem<?> system, NodeBindings bindings, AskMeter meter) {
        return new ClusterSessions(system, bindings, meter);
    }

    /** Measures how long session actors take to answer. */
    @FunctionalInterface
    public interface AskMeter {
        /**
         * One answer came.
         *
         * @param here whether the session's actor lives on this node
         */
        void answered(boolean here, long nanos);
    }

    /** Completed when this node hosts shards, and the cluster knows that it does. */
    public CompletionStage<Done> ready() {
        return region.thenCompose(ref -> RegionCheck.registered(system));
    }

    /** The session actors of this node. */
    public HostedSessions hosted() {
        return hosted;
    }

    @Override
    public Optional<BindingRow> row(SessionKey key) {
        return bindings.replica().row(key);
    }

    @Override
    public Optional<Binding> usable(SessionKey key) {
        return row(key).flatMap(row -> row.binding(nowMs()));
    }

    @Override
    public Optional<Proposal> provisional(SessionKey key) {
        return provisional.find(key, nowMs());
    }

    @Override
    public Asked follow(SessionKey key, Turn turn, Known known) {
        return ask(key, turn, null, replyTo -> new SessionActor.Follow(turn, known, replyTo));
    }

    @Override
    public Asked bind(SessionKey key, Turn turn, Proposal proposal) {
        return ask(key, turn, proposal, replyTo -> new SessionActor.Bind(turn, proposal, replyTo));
    }

    @Override
    public void keep(SessionKey key, Turn turn, Known known) {
        tell(key, new SessionActor.KeepTurn(turn, known));
    }

    @Override
    public void end(SessionKey key, TurnEnd end) {
        var asked = unheard.get(end.turn().id());
        if (asked == null) {
            tell(key, new SessionActor.EndTurn(end));
        } else {
            var unused = asked.whenComplete((answer, failure) -> tell(key, new SessionActor.EndTurn(end)));
        }
    }

    @Override
    public CompletionStage<Answer> unbind(SessionKey key) {
        return answered(key, send(key, SessionActor.Unbind::new));
    }

    /** The shard let a decision wait in vain and has not been heard since: nobody waits for it now. */
    boolean silent(int shard) {
        return silence.silent(shard);
    }

    /** How many shards nobody waits for now. */
    public int silentShards() {
        return silence.count();
    }

    @Override
    public SessionCounts counts() {
        return new SessionCounts(
                asks.sum(),
                answers.sum(),
                timeouts.sum(),
                unawaited.sum(),
                late.sum(),
                remembered.sum(),
                repeated.sum());
    }

    long nowMs() {
        return bindings.clock().millis();
    }

    ActorSystem<?> system() {
        return system;
    }

    private Asked ask(
            SessionKey key,
            Turn turn,
            @Nullable Proposal proposal,
            Function<ActorRef<Answer>, SessionActor.Request> request) {
        var question = new ActorAsked.Question(key, turn, proposal, silence.timesHeard(key.shard()));
        var sent = send(key, request);
        return new ActorAsked(this, question, answered(key, sent), sent::again);
    }

    private <T> Sent<T> send(SessionKey key, Function<ActorRef<T>, SessionActor.Request> request) {
        asks.increment();
        return new Sent<>(region, system, replyTo -> new ToSession(key, request.apply(replyTo)));
    }

    private <T> CompletionStage<T> answered(SessionKey key, Sent<T> sent) {
        long began = System.nanoTime();
        return sent.answer.thenApply(heard -> {
            answers.increment();
            meter.answered(hosted.contains(key), System.nanoTime() - began);
            silence.heard(key.shard());
            provisional.forget(key);
            return heard;
        });
    }

    /** A question on its way, which can be sent again: whichever of them is answered first counts. */
    private static final class Sent<T> {
        private final CompletionStage<ActorRef<ToSession>> region;
        private final CompletableFuture<ToSession> message = new CompletableFuture<>();
        private final CompletionStage<T> answer;

        Sent(
                CompletionStage<ActorRef<ToSession>> region,
                ActorSystem<?> system,
                Function<ActorRef<T>, ToSession> question) {
            this.region = region;
            this.answer = region.thenCompose(ref -> AskPattern.<ToSession, T>ask(
                    ref,
                    replyTo -> {
                        message.complete(question.apply(replyTo));
                        return message.join();
                    },
                    ASK_LIFETIME,
                    system.scheduler()));
        }

        void again() {
            var unused = region.thenAcceptBoth(message, ActorRef::tell);
        }
    }

    private void tell(SessionKey key, SessionActor.Request request) {
        var unused = region.thenAccept(ref -> ref.tell(new ToSession(key, request)));
    }
}
