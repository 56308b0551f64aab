package io.kvrouter.session.world;

import io.kvrouter.session.Answer;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.Known;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.session.SessionState.Step;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnId;
import io.kvrouter.session.Version;
import io.kvrouter.worker.WorkerId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What must hold in any world, checked at each step. Knows everything, which nobody in the world does. */
final class Laws {
    /** One message and what the actor made of it. */
    record Stepped(Node node, Request request, SessionState before, Sight sight, Step step) {}

    private record VersionOf(SessionKey key, long version) {}

    private record Truth(Known known, long liveUntilMs) {}

    private final World world;
    private final Map<VersionOf, Optional<WorkerId>> workerOfVersion = new HashMap<>();
    private final Map<SessionKey, Truth> truths = new HashMap<>();
    private final Map<SessionKey, Long> removedEverywhere = new HashMap<>();
    /** Sessions of which a crash, or the bound, may have lost what is true. */
    private final Set<SessionKey> losable = new HashSet<>();

    private long rebinds;
    private long created;
    private long steps;
    private long excused;

    Laws(World world) {
        this.world = world;
    }

    void stepped(Stepped s) {
        steps++;
        var state = s.step().state();
        check(state.version() >= s.before().version(), () -> "a version went back: " + s);
        if (state.bound()) {
            oneWorker(s.request().key(), state.current());
        }
        s.request().from().ifPresent(turn -> oldTurnChangesNothing(s, turn));
        if (s.step().answer() instanceof Answer.Bound bound) {
            created += bound.how() == Answer.How.CREATED ? 1 : 0;
            rebinds += bound.how() == Answer.How.REBOUND ? 1 : 0;
            if (bound.how() == Answer.How.CREATED) {
                nothingLost(s);
            }
        }
        learn(s.node(), s.request().key(), state);
    }

    private void oldTurnChangesNothing(Stepped s, Turn turn) {
        boolean beats = s.request() instanceof Request.Keep || s.request() instanceof Request.End;
        var nobody = new Turn(new TurnId(-1, -1), turn.ttlMs());
        var untouched = s.before()
                .keep(s.request().key(), nobody, Known.NOTHING, s.sight())
                .state();
        var maker = s.before().maker();
        boolean own = maker != null && maker.turn().equals(turn.id());
        long said = s.request().known().version();
        if (beats && !own && said < untouched.version()) {
            check(s.step().state().equals(untouched), () -> "an old turn changed something: " + s);
        }
    }

    private void nothingLost(Stepped s) {
        var key = s.request().key();
        var truth = truths.get(key);
        boolean lost = truth != null
                && truth.known().worker() != null
                && truth.known().version() > s.before().version()
                && truth.liveUntilMs() - 2 * world.settings.offsetMs() > world.now();
        boolean blind =
                s.node().offset > world.settings.skewMs() && s.request().known().worker() == null;
        boolean bounded = world.settings.bound() < Integer.MAX_VALUE;
        boolean excuse = losable.contains(key) || blind || bounded || s.node().isolated;
        excused += lost && excuse ? 1 : 0;
        check(!lost || excuse, () -> "a live binding was lost: " + truth + ", " + s);
    }

    private void learn(Node node, SessionKey key, SessionState state) {
        var truth = truths.get(key);
        if (truth == null || state.version() >= truth.known().version()) {
            long until = state.bound() ? state.deadlineMs() - node.offset : 0;
            truths.put(key, new Truth(state.current(), until));
            if (truth == null || state.version() > truth.known().version()) {
                change(losable, key, node.isolated);
            }
        }
        if (state.bound() && world.settings.bound() == Integer.MAX_VALUE) {
            long removed = removedEverywhere.getOrDefault(key, Version.NONE);
            check(state.version() > removed, () -> "a removed session came back: " + key + " " + state);
        }
    }

    private static void change(Set<SessionKey> set, SessionKey key, boolean member) {
        if (member) {
            set.add(key);
        } else {
            set.remove(key);
        }
    }

    void expired(Node node, SessionKey key, SessionState before, Step step) {
        if (before.bound() && !step.state().bound() && step.state().version() > before.version()) {
            var kept = world.turns.stream()
                    .filter(turn -> turn.key.equals(key) && turn.keeps(before.version()))
                    .findAny();
            check(kept.isEmpty(), () -> "the binding of " + kept + " expired at " + node + ": " + before);
        }
        learn(node, key, step.state());
    }

    void published(Node node, BindingRow row) {
        oneWorker(row.key(), row.known());
        if (row.removed()) {
            awaitRemoved(row, world.now() + 3_000);
        }
    }

    private void awaitRemoved(BindingRow row, long until) {
        world.after(100, () -> {
            boolean everywhere = world.alive().stream()
                    .allMatch(node -> node.replicated(row.key().table())
                            .row(row.key())
                            .filter(r -> r.version() >= row.version())
                            .isPresent());
            if (everywhere) {
                removedEverywhere.merge(row.key(), row.version(), Math::max);
            } else if (world.now() < until) {
                awaitRemoved(row, until);
            }
        });
    }

    void merged(Node node, BindingTable before, BindingTable after) {
        if (after.floor() == before.floor() || !before.due(after.floor())) {
            return;
        }
        for (int i = 0; i < before.size(); i++) {
            var row = before.row(i);
            if (!row.removed() && row.deadlineMs() <= after.floor()) {
                dropped(node, row);
            }
        }
    }

    private void dropped(Node node, BindingRow row) {
        boolean live = world.alive().stream()
                .anyMatch(host -> Optional.ofNullable(host.host.actors.get(row.key()))
                        .filter(actor -> actor.state.bound())
                        .filter(actor -> actor.state.version() == row.version())
                        .filter(actor -> actor.state.deadlineMs() > host.now())
                        .filter(actor -> host.row(row.key())
                                .filter(r -> r.deadlineMs() == row.deadlineMs())
                                .isPresent())
                        .isPresent());
        if (world.settings.bound() < Integer.MAX_VALUE) {
            losable.add(row.key());
        } else {
            check(!live, () -> "a live row was dropped at " + node + ": " + row);
        }
    }

    /** What only this node has is lost with it. */
    void killed(Node node) {
        truths.keySet().stream()
                .filter(key -> node.isolated || node.hosted.contains(key.shard()))
                .filter(key -> node.isolated || !everywhere(node, key))
                .forEach(losable::add);
    }

    /** A hand-over waits only so long for the others to have the row. */
    void stopped(Node node, SessionKey key) {
        if (!everywhere(node, key)) {
            losable.add(key);
        }
    }

    private boolean everywhere(Node node, SessionKey key) {
        var row = node.row(key);
        return world.alive().stream()
                .allMatch(other -> other.replica(key.table()).whole().row(key).equals(row)
                        && (other == node
                                || other.replicated(key.table()).row(key).equals(row)));
    }

    void asked(TurnRun turn, Request request) {}

    void answered(TurnRun turn, TurnRun.Placement proposed, Answer answer) {
        check(
                answer.version() >= proposed.binding().version(),
                () -> turn + " knew more than it hears: " + proposed + ", " + answer);
    }

    void dispatched(TurnRun turn, long afterMs) {
        check(afterMs <= WorldSettings.BUDGET_MS || turn.node.pausedUntil > 0, () -> turn + " waited " + afterMs);
    }

    void serves(TurnRun turn, WorkerId worker) {
        check(!world.deadWorkers.contains(worker), () -> turn + " is served by " + worker);
    }

    private void oneWorker(SessionKey key, Known known) {
        if (known.version() != Version.NONE) {
            var worker = Optional.ofNullable(known.worker());
            var before = workerOfVersion.putIfAbsent(new VersionOf(key, known.version()), worker);
            check(
                    before == null || before.equals(worker),
                    () -> "two workers of one version: " + before + ", " + known);
        }
    }

    /** Nothing is under way: there is soon a moment at which all nodes have the same bytes. */
    void converge() {
        for (int i = 0; i < 200 && !same(); i++) {
            world.runFor(50);
        }
        check(
                same(),
                () -> "nodes differ for 10 s: "
                        + world.alive().stream()
                                .map(node -> node + " " + node.replicated)
                                .toList());
    }

    private boolean same() {
        var first = world.alive().get(0);
        return world.alive().stream()
                .allMatch(node -> IntStream.range(0, Shards.USED)
                        .allMatch(table -> node.replicated(table).equals(first.replicated(table))
                                && node.replica(table).whole().equals(first.replicated(table))));
    }

    /** Some time after the last turn nothing is left of any session, and nothing comes back. */
    void forget(long withinMs) {
        long until = world.now() + withinMs;
        while (world.now() < until && remains().isPresent()) {
            world.runFor(500);
        }
        remains().ifPresent(left -> check(false, () -> "left after " + withinMs + " ms: " + left));
        world.runFor(2_000);
        remains().ifPresent(left -> check(false, () -> "came back: " + left));
    }

    private Optional<String> remains() {
        return world.alive().stream()
                .filter(node -> !node.host.actors.isEmpty()
                        || !node.pending.isEmpty()
                        || node.replica.values().stream()
                                .anyMatch(table -> table.whole().size() > 0))
                .map(node -> node + ": actors " + node.host.actors.keySet() + ", rows " + node.replica)
                .findFirst();
    }

    String counts() {
        return steps + " steps, " + created + " created, " + rebinds + " rebound, " + excused + " lost in crashes";
    }

    static void check(boolean holds, java.util.function.Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
