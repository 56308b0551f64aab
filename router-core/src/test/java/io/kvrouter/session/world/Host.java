package io.kvrouter.session.world;

import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import io.kvrouter.session.SessionState.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The session actors of one node: as {@code SessionActor}, with sharding's passivation and hand-off round them. */
final class Host {
    /** One session's actor. */
    static final class Actor {
        SessionState state = SessionState.UNBOUND;
        private long timer;
        private boolean timed;
        private boolean stopping;
        private final List<Request> stash = new ArrayList<>();
    }

    private final Node node;
    final Map<SessionKey, Actor> actors = new TreeMap<>();

    Host(Node node) {
        this.node = node;
    }

    void receive(Request request) {
        var actor = actors.computeIfAbsent(request.key(), any -> new Actor());
        if (actor.stopping) {
            actor.stash.add(request);
            return;
        }
        var sight = node.look(request.key());
        var before = actor.state;
        var step = request.to(before, sight);
        node.world.say(() -> node + " actor " + request.key().high() + " <- " + request + " = " + step);
        node.world.laws.stepped(new Laws.Stepped(node, request, before, sight, step));
        become(request.key(), actor, step);
        switch (request) {
            case Request.Follow follow -> answer(follow.reply(), step);
            case Request.Bind bind -> answer(bind.reply(), step);
            case Request.Unbind unbind -> passivate(request.key(), actor);
            case Request.Keep keep -> {}
            case Request.End end -> {}
        }
    }

    private void answer(Request.Reply to, Step step) {
        if (step.answer() != null) {
            to.to(node, step.answer());
        }
    }

    private void become(SessionKey key, Actor actor, Step step) {
        boolean earlier = step.state().deadlineMs() < actor.state.deadlineMs();
        actor.state = step.state();
        if (step.publish() != null) {
            node.publish(step.publish());
        }
        if (earlier || !actor.timed) {
            time(key, actor);
        }
    }

    private void time(SessionKey key, Actor actor) {
        long timer = ++actor.timer;
        actor.timed = true;
        long wait = Math.max(1, actor.state.deadlineMs() - node.now());
        node.world.after(wait, node, () -> {
            if (actor.timer == timer && !actor.stopping && actors.get(key) == actor) {
                actor.timed = false;
                onDeadline(key, actor);
            }
        });
    }

    private void onDeadline(SessionKey key, Actor actor) {
        var step = actor.state.expire(key, node.look(key));
        if (step.state().deadlineMs() > node.now()) {
            become(key, actor, step);
            return;
        }
        node.world.say(() -> node + " actor " + key.high() + " expires " + actor.state + " = " + step);
        node.world.laws.expired(node, key, actor.state, step);
        actor.state = step.state();
        if (step.publish() != null) {
            node.publish(step.publish());
        }
        passivate(key, actor);
    }

    /** The shard hears of it a little later; until then the actor goes on taking messages. */
    private void passivate(SessionKey key, Actor actor) {
        node.world.after(node.world.random.nextLong(3), node, () -> {
            if (actors.get(key) == actor && !actor.stopping) {
                stop(key, actor);
            }
        });
    }

    /** Has the row remembered, then is gone; what came meanwhile goes to a new actor. */
    private void stop(SessionKey key, Actor actor) {
        actor.stopping = true;
        node.write(key.table());
        awaitWritten(key, actor, node.world.now() + WorldSettings.STOP_WITHIN_MS);
    }

    private void awaitWritten(SessionKey key, Actor actor, long until) {
        boolean written = node.writesUnderWay.getOrDefault(key.table(), 0) == 0;
        if (!written && node.world.now() < until) {
            node.world.after(5, node, () -> awaitWritten(key, actor, until));
            return;
        }
        actors.remove(key);
        node.world.laws.stopped(node, key);
        actor.stash.forEach(request -> node.world.shards.send(node, request));
    }

    /** All actors of a shard are told to stop. */
    void stop(int shard) {
        List.copyOf(actors.entrySet()).forEach(entry -> {
            if (entry.getKey().shard() == shard && !entry.getValue().stopping) {
                stop(entry.getKey(), entry.getValue());
            }
        });
    }

    boolean empty(int shard) {
        return actors.keySet().stream().noneMatch(key -> key.shard() == shard);
    }
}
