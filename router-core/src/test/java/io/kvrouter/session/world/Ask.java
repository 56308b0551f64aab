package io.kvrouter.session.world;

import io.kvrouter.session.Answer;
import io.kvrouter.session.world.TurnRun.Placement;
import java.util.function.Function;

/** One question to a session's actor: waited for within the budget, not at all if the shard is silent. */
final class Ask {
    private final TurnRun run;
    private final Placement proposed;
    private final Node node;
    private final World world;
    private boolean decided;
    private boolean answered;
    private long waitingSince;

    Ask(TurnRun run, Placement proposed) {
        this.run = run;
        this.proposed = proposed;
        node = run.node;
        world = node.world;
    }

    void send(Function<Request.Reply, Request> question, long budget) {
        int shard = run.key.shard();
        long heardBefore = node.heard.getOrDefault(shard, 0L);
        var request = question.apply(this::back);
        world.say(() -> run + " asks " + request);
        world.laws.asked(run, request);
        world.shards.send(node, request);
        if (node.silent.contains(shard) || budget <= 0) {
            decided = true;
            run.unheard(proposed, true);
            return;
        }
        long began = world.now();
        world.after(budget, node, () -> giveUp(began, heardBefore));
        waitingSince = began;
    }

    private void giveUp(long began, long heardBefore) {
        if (decided) {
            return;
        }
        decided = true;
        int shard = run.key.shard();
        if (node.heard.getOrDefault(shard, 0L) == heardBefore) {
            node.silent.add(shard);
        }
        run.waited(world.now() - began);
        run.unheard(proposed, true);
    }

    /** The answer travels back to the ingress. */
    private void back(Node host, Answer answer) {
        world.after(world.delay(), node, () -> receive(host, answer));
    }

    private void receive(Node host, Answer answer) {
        if (answered || (host != node && !node.hears(host) && host.alive)) {
            return;
        }
        answered = true;
        int shard = run.key.shard();
        node.heard.merge(shard, 1L, Long::sum);
        node.silent.remove(shard);
        node.provisional.remove(run.key);
        world.laws.answered(run, proposed, answer);
        if (decided) {
            run.late(answer);
            return;
        }
        decided = true;
        run.waited(world.now() - waitingSince);
        run.heard(proposed, answer);
    }
}
