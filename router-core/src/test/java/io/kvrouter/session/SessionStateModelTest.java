package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Answer.Bound;
import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.session.SessionState.Step;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Turns of one session in random order against a model that knows everything: messages late, lost or never heard, the
 * actor restarted from its row or, with its row lost, from nothing.
 */
class SessionStateModelTest {
    private static final SessionKey KEY = new SessionKey(7, 7);
    private static final long TTL = 1_000;
    private static final long SKEW = 50;

    @RepeatedTest(300)
    void keepsItsPromises(RepetitionInfo run) {
        var world = new World(RandomGeneratorFactory.of("L64X128MixRandom").create(run.getCurrentRepetition()));

        for (int i = 0; i < 200; i++) {
            world.step();
        }
        world.letEverythingEnd();
    }

    private static final class World {
        private final RandomGenerator random;
        private final Map<TurnId, Known> running = new HashMap<>();
        private final Map<TurnId, Known> ended = new HashMap<>();
        private final Map<Long, WorkerId> workerOfVersion = new HashMap<>();
        private final List<BindingRow> published = new ArrayList<>();
        private SessionState state = SessionState.UNBOUND;
        private @Nullable BindingRow row;
        private long now = 1_000_000;
        private long turns;

        World(RandomGenerator random) {
            this.random = random;
        }

        void step() {
            now += random.nextInt((int) TTL / 8);
            beatAndExpire();
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> begin();
                case 3, 4 -> finish();
                case 5 -> repeatOldEnd();
                case 6 -> restart();
                case 7 -> runOnForLong();
                default -> rebind();
            }
        }

        private void begin() {
            var turn = new TurnId(1, turns++);
            var known = row != null && row.usable(now) ? row.known() : Known.NOTHING;
            if (known.binding().isPresent()) {
                hear(turn, state.follow(KEY, turn(turn), known, sight()));
            } else {
                hear(turn, state.bind(KEY, turn(turn), propose(known.version(), known), sight()));
            }
        }

        private void rebind() {
            var turn = new TurnId(1, turns++);
            var known = row == null ? Known.NOTHING : row.known();
            hear(turn, state.bind(KEY, turn(turn), propose(known.version(), known), sight()));
        }

        /** One answer in ten is never heard: the turn runs on without a version. */
        private void hear(TurnId turn, Step step) {
            become(step);
            boolean heard = random.nextInt(10) > 0;
            running.put(
                    turn,
                    heard && step.answer() instanceof Bound(var at, var tokens, var how) ? at.known() : Known.NOTHING);
        }

        private void finish() {
            running.keySet().stream().findFirst().ifPresent(turn -> {
                var known = Objects.requireNonNull(running.remove(turn));
                ended.put(turn, known);
                boolean served = random.nextInt(4) > 0;
                boolean last = random.nextInt(10) == 0;
                become(state.end(KEY, new TurnEnd(turn(turn), known, served, 10, last), sight()));
            });
        }

        /** The late repetition of an end of an older version: nothing may change. */
        private void repeatOldEnd() {
            ended.forEach((turn, known) -> {
                boolean older = known.version() != Version.NONE && known.version() < state.version();
                boolean own = state.maker() != null && state.maker().turn().equals(turn);
                if (older && !own) {
                    var before = state;
                    become(state.end(KEY, new TurnEnd(turn(turn), known, false, 99, true), sight()));
                    assertThat(state.current()).isEqualTo(before.current());
                    assertThat(state.contextTokens()).isEqualTo(before.contextTokens());
                    assertThat(!state.bound() || state.deadlineMs() == before.deadlineMs())
                            .isTrue();
                }
            });
        }

        /** The actor's node is gone; its successor sees the row, or that too is lost if a turn can bring it back. */
        private void restart() {
            var before = state.current();
            boolean known = running.containsValue(before) && state.bound();
            state = SessionState.UNBOUND;
            if (known && random.nextBoolean()) {
                row = null;
            }
            beatAndExpire();
            assertThat(!known || state.current().equals(before))
                    .as("a running turn brings its binding back")
                    .isTrue();
        }

        /** Nothing but heartbeats for longer than the idle time-out. */
        private void runOnForLong() {
            var before = state.current();
            boolean known = running.containsValue(before) && state.bound();
            for (int beat = 0; beat < 12; beat++) {
                now += TTL / 6;
                beatAndExpire();
            }
            assertThat(!known || state.current().equals(before))
                    .as("a running turn's binding never expires")
                    .isTrue();
            assertThat(known || running.containsValue(state.current()) || !state.bound() || madeByARunningTurn())
                    .as("a binding that no turn uses expires")
                    .isTrue();
        }

        private boolean madeByARunningTurn() {
            return state.maker() != null && running.containsKey(state.maker().turn());
        }

        private void beatAndExpire() {
            running.forEach((turn, known) -> {
                if (row == null || row.version() <= known.version()) {
                    become(state.keep(KEY, turn(turn), known, sight()));
                }
            });
            if (state.deadlineMs() <= now) {
                become(state.expire(KEY, sight()));
            }
        }

        private void become(Step step) {
            assertThat(step.state().version()).as("versions only grow").isGreaterThanOrEqualTo(state.version());
            state = step.state();
            var worker = state.current().worker();
            if (worker != null) {
                assertThat(workerOfVersion.computeIfAbsent(state.version(), any -> worker))
                        .as("one worker a version")
                        .isEqualTo(worker);
            }
            if (step.publish() != null) {
                publish(step.publish());
            }
        }

        private void publish(BindingRow next) {
            if (row != null) {
                assertThat(next.version()).isGreaterThanOrEqualTo(row.version());
                assertThat(next.deadlineMs()).isGreaterThanOrEqualTo(row.deadlineMs());
            }
            published.add(next);
            row = next;
        }

        void letEverythingEnd() {
            while (!running.isEmpty()) {
                finish();
            }
            now = Math.max(now, state.deadlineMs());
            become(state.expire(KEY, sight()));
            assertThat(state.bound()).isFalse();
            assertThat(row == null || row.removed() || row.deadlineMs() <= now || state.version() == Version.NONE)
                    .as("an expired session is removed everywhere")
                    .isTrue();
        }

        private Proposal propose(long seen, Known known) {
            return new Proposal(seen, new WorkerId("w" + random.nextInt(3)), 0, known);
        }

        private static Turn turn(TurnId id) {
            return new Turn(id, TTL);
        }

        private Sight sight() {
            return new Sight(now, row, 42, SKEW);
        }
    }
}
