package io.kvrouter.session.world;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.session.TurnId;
import io.kvrouter.session.ingress.HeldBinding;
import io.kvrouter.worker.WorkerId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One turn as its ingress runs it, by the messages of its life: a small model of the placer and the running turn. */
final class TurnRun {
    enum Decision {
        PINNED,
        UNBOUND,
        DETOURED
    }

    record Placement(WorkerId worker, Decision decision, Known binding, boolean made) {}

    private static final int ATTEMPTS = 3;
    private static final int ASKS = 3;

    final Node node;
    final SessionKey key;
    final Turn turn;
    final HeldBinding held = new HeldBinding();
    private final World world;
    private final Set<WorkerId> tried = new HashSet<>();
    private long budget = WorldSettings.BUDGET_MS;
    private int asks;
    private int attempts;
    private boolean announced;
    private boolean served;
    private boolean first;
    private boolean over;
    private boolean last;
    private int pushBackPercent;
    private long lastsMs;
    private int beats;
    private long beganAt;
    private @Nullable WorkerId use;

    TurnRun(Node node, SessionKey key, long ttl) {
        this.node = node;
        this.key = key;
        world = node.world;
        turn = new Turn(new TurnId(node.id, world.nextNumber()), ttl);
    }

    TurnRun lasts(long ms) {
        lastsMs = ms;
        return this;
    }

    TurnRun last() {
        last = true;
        return this;
    }

    TurnRun pushedBack(int percent) {
        pushBackPercent = percent;
        return this;
    }

    boolean running() {
        return !over;
    }

    boolean served() {
        return served;
    }

    Optional<WorkerId> worker() {
        return Optional.ofNullable(use);
    }

    @Override
    public String toString() {
        return "turn " + turn.id() + " of " + key.high();
    }

    /** Step 1: a usable row whose worker is eligible is followed; else a candidate is bound. */
    TurnRun begin() {
        beganAt = world.now();
        world.say(() -> this + " begins, row " + node.row(key));
        Optional<Binding> bound = node.row(key).flatMap(row -> row.binding(node.now()));
        Optional<Binding> eligible = bound.filter(binding -> eligible(binding.worker()));
        if (eligible.isPresent()) {
            var known = eligible.get().known();
            var proposed = new Placement(eligible.get().worker(), Decision.PINNED, known, false);
            ask(proposed, answer -> new Request.Follow(key, turn, known, answer));
        } else {
            firstOrRebind(bound.map(Binding::known).orElseGet(this::removed));
        }
        return this;
    }

    private Known removed() {
        return node.row(key).filter(BindingRow::removed).map(BindingRow::known).orElse(Known.NOTHING);
    }

    private void firstOrRebind(Known seen) {
        var remembered = Optional.ofNullable(node.provisional.get(key)).filter(this::eligible);
        if (remembered.isPresent()) {
            bind(new Placement(remembered.get(), Decision.UNBOUND, seen, false), seen);
        } else {
            selectAndBind(seen);
        }
    }

    private boolean eligible(WorkerId worker) {
        return !tried.contains(worker) && !node.ineligible.contains(worker);
    }

    private void selectAndBind(Known seen) {
        select(candidate -> bind(new Placement(candidate, Decision.UNBOUND, seen, false), seen));
    }

    private void select(Consumer<WorkerId> then) {
        world.any(world.workers.stream().filter(this::eligible).toList()).ifPresentOrElse(then, this::end);
    }

    private void bind(Placement candidate, Known seen) {
        var proposal = new Proposal(seen.version(), candidate.worker(), 0, seen);
        ask(candidate, answer -> new Request.Bind(key, turn, proposal, answer));
    }

    /** Step 5: the answer is waited for within the budget, and counts when it comes late. */
    private void ask(Placement proposed, Function<Request.Reply, Request> question) {
        if (over) {
            return;
        }
        asks++;
        announced = true;
        use = proposed.worker();
        new Ask(this, proposed).send(question, budget);
    }

    void waited(long ms) {
        budget -= ms;
    }

    void unheard(Placement proposed, boolean provisional) {
        if (provisional && proposed.decision() != Decision.PINNED) {
            node.provisional.put(key, proposed.worker());
        }
        bound(proposed.decision() == Decision.PINNED ? proposed.binding() : Known.NOTHING);
        dispatch(proposed);
    }

    /** An answer that was not waited for counts if it names the worker in use. */
    void late(Answer answer) {
        if (!over
                && answer instanceof Answer.Bound bound
                && bound.binding().worker().equals(use)) {
            bound(bound.binding().known());
        }
    }

    /** Step 4. */
    void heard(Placement proposed, Answer answer) {
        switch (answer) {
            case Answer.Bound bound when bound.binding().worker().equals(proposed.worker()) -> agreed(bound);
            case Answer.Bound bound when eligible(bound.binding().worker()) -> agreed(bound);
            case Answer.Bound bound -> again(proposed, bound.binding().known());
            case Answer.Unbound unbound -> again(proposed, Known.removed(unbound.version()));
        }
    }

    private void agreed(Answer.Bound bound) {
        use = bound.binding().worker();
        first |= bound.how() == Answer.How.CREATED;
        bound(bound.binding().known());
        dispatch(new Placement(
                bound.binding().worker(),
                Decision.PINNED,
                bound.binding().known(),
                bound.how() != Answer.How.FOLLOWED));
    }

    private void again(Placement proposed, Known seen) {
        if (asks >= ASKS || budget <= 0) {
            bound(seen);
            var decision = seen.worker() == null ? Decision.UNBOUND : Decision.DETOURED;
            dispatch(new Placement(proposed.worker(), decision, seen, false));
        } else {
            selectAndBind(seen);
        }
    }

    private void bound(Known known) {
        held.decided(known);
        int beat = ++beats;
        if (!over && known.worker() != null) {
            world.after(turn.ttlMs() / 4, node, () -> beat(beat));
        }
    }

    /** Heartbeats stop when the replica knows a newer version. */
    private void beat(int beat) {
        if (over || beat != beats) {
            return;
        }
        var known = held.tell(node.row(key));
        if (!held.overtaken()) {
            world.shards.send(node, new Request.Keep(key, turn, known));
            world.after(turn.ttlMs() / 4, node, () -> beat(beat));
        }
    }

    /** Step 6. */
    private void dispatch(Placement placement) {
        if (over) {
            return;
        }
        if (attempts++ == 0) {
            world.laws.dispatched(this, world.now() - beganAt);
        }
        use = placement.worker();
        world.say(() -> this + " goes to " + placement);
        world.after(1 + world.random.nextLong(5), node, () -> attempt(placement));
    }

    private void attempt(Placement placement) {
        if (over) {
            return;
        }
        boolean refused = world.deadWorkers.contains(placement.worker());
        boolean pushedBack = !refused && world.chance(pushBackPercent);
        if (refused) {
            node.ineligible.add(placement.worker());
        }
        if (!refused && !pushedBack) {
            served = true;
            world.laws.serves(this, placement.worker());
            world.after(lastsMs, node, this::end);
        } else if (attempts >= ATTEMPTS) {
            end();
        } else {
            tried.add(placement.worker());
            boolean detour = placement.decision() == Decision.DETOURED || (pushedBack && !placement.made());
            next(placement, detour);
        }
    }

    private void next(Placement placement, boolean detour) {
        if (detour) {
            select(other -> dispatch(new Placement(other, Decision.DETOURED, placement.binding(), false)));
        } else {
            selectAndBind(placement.binding());
        }
    }

    /** Step 8. */
    void end() {
        if (over) {
            return;
        }
        over = true;
        var known = held.tell(node.row(key));
        world.say(() -> this + " ends, served " + served + ", last " + last);
        if (announced) {
            long tokens = served ? 1_000 + turn.id().number() : 0;
            world.shards.send(node, new Request.End(key, new TurnEnd(turn, known, served, tokens, last)));
        }
    }

    /** Its node is gone. */
    void vanish() {
        over = true;
    }

    /** Whether this turn keeps the version alive: it knows it, beats for it, and was heard by now if it can be. */
    boolean keeps(long version) {
        long heardBy = beganAt + turn.ttlMs() / 4 + 2 * WorldSettings.LONGEST_DELAY_MS;
        return !over
                && heardBy <= world.now()
                && !held.overtaken()
                && held.known().version() == version
                && held.known().worker() != null
                && node.alive
                && !node.isolated
                && node.pausedUntil <= world.now();
    }

    boolean isFirst() {
        return first;
    }
}
