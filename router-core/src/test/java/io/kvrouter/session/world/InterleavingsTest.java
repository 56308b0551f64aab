package io.kvrouter.session.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Answer;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnId;
import io.kvrouter.worker.WorkerId;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The orders of events that break naive tables, each told step by step in a small cluster with exact clocks. */
class InterleavingsTest {
    private static final long TTL = 3_000;
    private static final SessionKey KEY = new SessionKey(1, 1);

    private World world = calm();
    private Node first = world.nodes.get(0);
    private Node home = world.shards.home(KEY.shard());
    private Node third = world.nodes.get(2);

    private static World calm() {
        return new World(7, WorldSettings.usual().exactClocks().lossless(), true).start(3);
    }

    /** Whatever the story was: nothing is left of it. */
    @AfterEach
    void everythingIsForgotten() {
        world.turns.forEach(TurnRun::end);
        world.runFor(3_000);
        world.laws.forget(120_000);
    }

    private TurnRun turn(Node node) {
        return world.turn(node, KEY, TTL);
    }

    /** A short turn that binds the session. */
    private WorkerId bound() {
        var turn = turn(first).lasts(10).begin();
        world.runFor(600);
        return turn.worker().orElseThrow();
    }

    private Optional<BindingRow> rowAt(Node node) {
        return node.row(KEY);
    }

    @Nested
    class AReadersClockIsAheadOfTheActors {
        @Test
        void itFollowsTheActorThoughTheRowLooksExpiredToIt() {
            var worker = bound();
            var row = rowAt(first).orElseThrow();

            var looksExpired = row.binding(row.deadlineMs()).isEmpty();
            var step = Objects.requireNonNull(home.host.actors.get(KEY))
                    .state
                    .bind(KEY, id(third), new Proposal(0, other(worker), 0, Known.NOTHING), home.look(KEY));

            assertThat(looksExpired).isTrue();
            assertThat(step.answer())
                    .isInstanceOfSatisfying(
                            Answer.Bound.class,
                            answer -> assertThat(answer.binding().worker()).isEqualTo(worker));
        }

        @Test
        void aTurnThatFollowsARowBringsItBackToAnActorToWhichItLooksExpired() {
            bound();
            var row = rowAt(first).orElseThrow();
            var ahead = new Sight(row.deadlineMs() + 50, row, 9, 200);

            var step = SessionState.UNBOUND.keep(KEY, id(first), row.known(), ahead);

            assertThat(step.state().current()).isEqualTo(row.known());
            assertThat(step.publish()).isNotNull();
        }
    }

    @Nested
    class ARemovedRowIsSeenByOneNodeOnly {
        @Test
        void theOthersHearOfItByGossipAndTheSessionStaysRemoved() {
            bound();
            var row = rowAt(first).orElseThrow();
            var removed = new BindingRow(KEY, row.version() + 65_536, null, 0, row.deadlineMs());
            home.host.actors.clear();

            third.take(KEY.table(), BindingTable.of(removed));
            world.runFor(2_000);

            assertThat(world.nodes).allSatisfy(node -> assertThat(rowAt(node)).contains(removed));
        }

        @Test
        void aTurnOfANodeThatHasNotSeenItHearsThatTheSessionIsUnbound() {
            bound();
            var row = rowAt(first).orElseThrow();
            var removed = new BindingRow(KEY, row.version() + 65_536, null, 0, row.deadlineMs());
            home.host.actors.clear();
            home.take(KEY.table(), BindingTable.of(removed));
            home.notice(KEY.table());

            var turn = turn(first).lasts(10).begin();
            world.runFor(100);

            assertThat(turn.held.known().version()).isGreaterThan(removed.version());
        }
    }

    @Nested
    class AHeartbeatOfAnOldTurnComesAfterFinal {
        @Test
        void theSessionStaysRemoved() {
            var old = turn(third).lasts(10_000).begin();
            world.runFor(500);
            turn(first).lasts(10).last().begin();
            world.runFor(600);

            home.host.receive(new Request.Keep(KEY, old.turn, versionOf(old)));
            world.runFor(100);

            assertThat(rowAt(home).orElseThrow().removed()).isTrue();
        }

        @Test
        void soItDoesWhenTheOldTurnEndsLongAfterTheRemovalWasForgotten() {
            var old = turn(third).lasts(20_000).begin();
            world.runFor(500);
            turn(first).lasts(10).last().begin();
            world.runFor(12_000);
            assertThat(rowAt(home)).isEmpty();

            old.end();
            world.runFor(500);

            assertThat(rowAt(home)).isEmpty();
        }

        private Known versionOf(TurnRun turn) {
            return turn.held.known();
        }
    }

    @Nested
    class TheActorsNodeDiesDuringADetour {
        @Test
        void theSessionIsHealedToItsWorkerAndNotToTheOneThatServedTheDetour() {
            var worker = bound();
            var detour = turn(first).pushedBack(100).lasts(8_000).begin();
            world.runFor(3);
            detour.pushedBack(0);
            world.runFor(100);
            world.nodes.forEach(node -> node.replica.remove(KEY.table()));
            world.nodes.forEach(node -> node.replicated.remove(KEY.table()));

            world.shards.kill(home);
            world.runFor(4_000);

            assertThat(detour.running()).isTrue();
            assertThat(rowAt(first).orElseThrow().worker()).isEqualTo(worker);
        }
    }

    @Nested
    class ALateBoundComesAfterARefusedCandidate {
        @Test
        void theTurnNeitherGoesBackToItNorKeepsItsBinding() {
            world.deadWorkers.add(world.workers.get(0));
            world.workers.stream().skip(1).forEach(first.ineligible::add);
            home.pausedUntil = world.now() + 400;
            var turn = turn(first).lasts(2_000).begin();
            world.runFor(200);
            first.ineligible.remove(world.workers.get(1));

            world.runFor(1_000);

            assertThat(turn.worker()).contains(world.workers.get(1));
            assertThat(turn.served()).isTrue();
            turn.end();
            world.runFor(500);
            var next = turn(third).lasts(10).begin();
            world.runFor(800);
            assertThat(next.served()).isTrue();
        }
    }

    @Nested
    class ANodeLeavesOneMillisecondAfterABind {
        @Test
        void theBindingLivesOnWithItsVersion() {
            var turn = turn(first).lasts(5_000).begin();
            while (turn.held.known().worker() == null) {
                world.runFor(1);
            }
            var known = turn.held.known();

            world.runFor(1);
            world.shards.leave(home);
            world.runFor(3_000);

            assertThat(rowAt(third).orElseThrow().known()).isEqualTo(known);
            assertThat(world.shards.home(KEY.shard())).isNotSameAs(home);
        }
    }

    @Nested
    class ANodeJoinsDuringARebind {
        @Test
        void itHasTheNewBindingWhenItHostsTheShard() {
            var worker = bound();
            var joining = world.shards.join();
            world.deadWorkers.add(worker);
            world.nodes.forEach(node -> node.ineligible.add(worker));

            for (int i = 0; i < 2_000 && !joining.ready; i++) {
                world.runFor(1);
                if (i % 40 == 0) {
                    turn(world.nodes.get(i % 3)).lasts(5).begin();
                }
            }
            world.shards.move(KEY.shard(), joining);
            world.runFor(1_500);
            var after = turn(joining).lasts(10).begin();
            world.runFor(500);

            assertThat(after.held.known()).isEqualTo(rowAt(first).orElseThrow().known());
            assertThat(after.isFirst()).isFalse();
        }
    }

    @Nested
    class TheTimeOutChangesOnARunningCluster {
        @Test
        void aTurnThatRunsByTheLongerOneKeepsItsBinding() {
            var patient = world.turn(first, KEY, 10 * TTL).lasts(40_000).begin();
            world.runFor(500);
            var known = patient.held.known();
            turn(third).lasts(10).begin();

            world.runFor(20_000);

            assertThat(rowAt(third).orElseThrow().known()).isEqualTo(known);
        }

        @Test
        void aNewVersionHasNoEarlierDeadlineThanTheRowsBefore() {
            world.turn(first, KEY, 10 * TTL).lasts(10).begin();
            world.runFor(500);
            long deadline = rowAt(first).orElseThrow().deadlineMs();

            turn(third).lasts(10).last().begin();
            world.runFor(500);

            assertThat(rowAt(first).orElseThrow().removed()).isTrue();
            assertThat(rowAt(first).orElseThrow().deadlineMs()).isGreaterThanOrEqualTo(deadline);
        }
    }

    private WorkerId other(WorkerId worker) {
        return world.workers.stream().filter(w -> !w.equals(worker)).findFirst().orElseThrow();
    }

    private Turn id(Node node) {
        return new Turn(new TurnId(node.id, world.nextNumber()), TTL);
    }
}
