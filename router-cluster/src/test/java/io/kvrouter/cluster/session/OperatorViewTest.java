package io.kvrouter.cluster.session;

import static io.kvrouter.cluster.session.Eventually.eventually;
import static io.kvrouter.cluster.session.TestNode.await;
import static io.kvrouter.cluster.session.TestNode.turn;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.cluster.hosted.HostedLookup;
import io.kvrouter.cluster.hosted.HostedPeer.Told;
import io.kvrouter.cluster.hosted.HostedSessions.End;
import io.kvrouter.cluster.overview.BindingCensus;
import io.kvrouter.cluster.overview.WorkerUnbinding;
import io.kvrouter.session.Answer.Bound;
import io.kvrouter.session.Known;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an operator sees and does of the sessions of two nodes. Each test has workers of its own. */
class OperatorViewTest {
    private static final Duration TTL = Duration.ofMinutes(30);
    private static TestNode first;
    private static TestNode second;
    private static HostedLookup lookup;

    @BeforeAll
    static void start() {
        first = TestNode.first();
        second = TestNode.joining(first);
        lookup = lookup(first);
        lookup(second);
        eventually(() -> {
            IntStream.range(0, SessionKey.SHARDS)
                    .forEach(shard -> first.bind(new SessionKey(7, shard), turn(TTL), "home"));
            assertThat(homedOn(second)).isPresent();
        });
    }

    private static HostedLookup lookup(TestNode node) {
        return HostedLookup.start(node.system, node.sessions.hosted(), node.bindings.clock());
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
    }

    @Test
    void theContextOfASessionIsToldByTheNodeOfItsActor() {
        var key = homedOn(second).orElseThrow();
        serve(key, "ctx", 1_234);

        eventually(() -> assertThat(ask(key)).map(Told::contextTokens).contains(1_234L));
        assertThat(ask(key))
                .map(Told::idleMs)
                .hasValueSatisfying(idle -> assertThat(idle).isNotNegative());
        assertThat(second.sessions.hosted().footprint(second.bindings.clock().millis()))
                .containsEntry(new WorkerId("ctx"), Map.of(0, 1_234L));
        assertThat(first.sessions.hosted().state(key)).isEmpty();
    }

    @Test
    void lookingMakesNoActor() {
        var key = new SessionIdentity("default", "m", "", "nobody").key();

        assertThat(await(lookup.ask(second.address(), key))).isEmpty();
        assertThat(await(lookup.ask(first.address(), key))).isEmpty();
        assertThat(first.sessions.hosted().state(key)).isEmpty();
        assertThat(second.sessions.hosted().state(key)).isEmpty();
    }

    @Test
    void ofASessionThatHasJustEndedNothingIsTold() {
        var key = new SessionKey(43, homedOn(second).orElseThrow().shard());
        end(key, true, true);
        eventually(() -> assertThat(second.sessions.hosted().state(key))
                .hasValueSatisfying(state -> assertThat(state.version()).isPositive())
                .hasValueSatisfying(state -> assertThat(state.bound()).isFalse()));

        assertThat(ask(key)).isEmpty();
    }

    @Test
    void anEndedSessionIsCountedByItsKindAndItsActorLeaves() {
        var expired = key(1);
        var last = key(2);
        var unbound = key(3);
        var unserved = key(4);
        first.bind(expired, turn(Duration.ofMillis(500)), "end");
        end(last, true, true);
        end(unserved, false, false);
        first.bind(unbound, turn(TTL), "end");
        await(first.sessions.unbind(unbound));

        for (End how : End.values()) {
            eventually(() -> assertThat(first.sessions.hosted().ends(how)
                            + second.sessions.hosted().ends(how))
                    .as(how.name())
                    .isPositive());
        }
        eventually(() -> assertThat(hosted(expired)).isFalse());
        eventually(() -> assertThat(hosted(unbound)).isFalse());
    }

    @Test
    void allSessionsOfAWorkerEndAndNoOthers() {
        var unbinding = new WorkerUnbinding(first.system, first.bindings.replica(), first.sessions);
        var worker = new WorkerId("full");
        IntStream.range(100, 300).forEach(i -> first.bind(key(i), turn(TTL), i % 2 == 0 ? "full" : "other"));
        replicated(100, 300);

        var progress = await(unbinding.unbind(worker, now(), Duration.ofSeconds(30)));

        assertThat(progress).isEqualTo(new WorkerUnbinding.Progress(100, 100, true));
        eventually(() -> assertThat(IntStream.range(100, 300))
                .allMatch(i -> second.worker(key(i)).equals(i % 2 == 0 ? Optional.empty() : Optional.of("other"))));
        eventually(() -> assertThat(await(unbinding.unbind(worker, now(), Duration.ofSeconds(30)))
                        .sessions())
                .isZero());
    }

    @Test
    void aLongRunIsAnsweredBeforeItsEndAndJoined() {
        var unbinding = new WorkerUnbinding(first.system, first.bindings.replica(), first.sessions);
        var worker = new WorkerId("long");
        IntStream.range(1_000, 2_000).forEach(i -> first.bind(key(i), turn(TTL), "long"));
        replicated(1_000, 2_000);

        var soon = await(unbinding.unbind(worker, now(), Duration.ZERO));
        var joined = await(unbinding.unbind(worker, now(), Duration.ofSeconds(30)));

        assertThat(soon.done()).isFalse();
        assertThat(soon.sessions()).isEqualTo(1_000);
        assertThat(joined).isEqualTo(new WorkerUnbinding.Progress(1_000, 1_000, true));
    }

    @Test
    void boundSessionsAreCountedByWorker() {
        var census = BindingCensus.start(second.system, second.bindings);
        IntStream.range(400, 430).forEach(i -> first.bind(key(i), turn(TTL), "counted"));

        eventually(() -> assertThat(census.byWorker()).containsEntry(new WorkerId("counted"), 30L));
    }

    private static void replicated(int from, int to) {
        eventually(() -> assertThat(IntStream.range(from, to))
                .allMatch(i -> first.worker(key(i)).isPresent()));
    }

    private static void serve(SessionKey key, String worker, long contextTokens) {
        var turn = turn(TTL);
        var bound = (Bound) first.bind(key, turn, worker);
        first.sessions.end(key, new TurnEnd(turn, bound.binding().known(), true, contextTokens, false));
    }

    private static void end(SessionKey key, boolean served, boolean last) {
        var turn = turn(TTL);
        Known known = ((Bound) first.bind(key, turn, "end")).binding().known();
        first.sessions.end(key, new TurnEnd(turn, known, served, 0, last));
    }

    private static Optional<Told> ask(SessionKey key) {
        return await(lookup.ask(second.address(), key));
    }

    private static boolean hosted(SessionKey key) {
        return first.sessions.hosted().state(key).isPresent()
                || second.sessions.hosted().state(key).isPresent();
    }

    /** A session of a shard that lives there. */
    private static Optional<SessionKey> homedOn(TestNode node) {
        return await(first.shards.shards()).stream()
                .filter(shard -> shard.node().equals(Optional.of(node.address())))
                .findFirst()
                .map(shard -> new SessionKey(42, shard.number()));
    }

    private static long now() {
        return first.bindings.clock().millis();
    }

    private static SessionKey key(int number) {
        return new SessionIdentity("default", "m", "", "view-" + number).key();
    }
}
