package io.kvrouter.http.turn;

import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One session whose actor answers as a script says, and the messages that it was sent, as text. */
final class FakeSessions implements Sessions {
    private final List<String> told = new ArrayList<>();
    private final List<TurnEnd> ends = new ArrayList<>();
    private final Deque<Optional<Answer>> script = new ArrayDeque<>();
    private final Deque<CompletableFuture<Answer>> unheard = new ArrayDeque<>();
    private Optional<BindingRow> row = Optional.empty();
    private Optional<Proposal> provisional = Optional.empty();

    /** This node's replica says so. */
    synchronized void replica(long version, WorkerId worker) {
        row = Optional.of(new BindingRow(new SessionKey(1, 2), version, worker, 0, Long.MAX_VALUE));
    }

    /** This node's replica says that the session was removed at this version. */
    synchronized void removed(long version) {
        row = Optional.of(new BindingRow(new SessionKey(1, 2), version, null, 0, Long.MAX_VALUE));
    }

    void provisionally(WorkerId worker) {
        provisional = Optional.of(new Proposal(0, worker, 0, Known.NOTHING));
    }

    /** The actor's next answer. */
    FakeSessions answers(Answer answer) {
        script.add(Optional.of(answer));
        return this;
    }

    /** The actor's next answer does not come within the budget. */
    FakeSessions isNotHeard() {
        script.add(Optional.empty());
        return this;
    }

    /** The first answer that did not come in time comes now. */
    void answersLate(Answer answer) {
        unheard.remove().complete(answer);
    }

    synchronized List<String> told() {
        return List.copyOf(told);
    }

    synchronized long told(String kind) {
        return told.stream().filter(message -> message.startsWith(kind)).count();
    }

    /** How the only turn ended. */
    synchronized TurnEnd end() {
        if (ends.size() != 1) {
            throw new AssertionError("ends: " + ends.size() + " (expected: 1)");
        }
        return ends.getFirst();
    }

    synchronized int ends() {
        return ends.size();
    }

    @Override
    public synchronized Optional<BindingRow> row(SessionKey key) {
        return row;
    }

    @Override
    public Optional<Binding> usable(SessionKey key) {
        return row(key).flatMap(found -> found.binding(0));
    }

    @Override
    public Optional<Proposal> provisional(SessionKey key) {
        return provisional;
    }

    @Override
    public Asked follow(SessionKey key, Turn turn, Known known) {
        return ask("Follow " + text(known));
    }

    @Override
    public Asked bind(SessionKey key, Turn turn, Proposal proposal) {
        return ask("Bind " + proposal.worker() + " for " + proposal.seen());
    }

    private synchronized Asked ask(String message) {
        told.add(message);
        Optional<Answer> next = script.remove();
        var answer = next.map(CompletableFuture::completedFuture).orElseGet(CompletableFuture::new);
        if (next.isEmpty()) {
            unheard.add(answer);
        }
        return new Asked() {
            @Override
            public CompletionStage<Answer> answer() {
                return answer;
            }

            @Override
            public CompletionStage<Optional<Answer>> within(Duration budget) {
                return CompletableFuture.completedFuture(next);
            }
        };
    }

    @Override
    public synchronized void keep(SessionKey key, Turn turn, Known known) {
        told.add("Keep " + text(known));
    }

    @Override
    public synchronized void end(SessionKey key, TurnEnd end) {
        told.add("End " + text(end.known()) + (end.served() ? " served" : "") + (end.last() ? " final" : ""));
        ends.add(end);
    }

    private static String text(Known known) {
        return known.worker() == null ? "" + known.version() : known.worker() + "@" + known.version();
    }

    @Override
    public CompletionStage<Answer> unbind(SessionKey key) {
        return CompletableFuture.completedFuture(new Answer.Unbound(1));
    }

    @Override
    public SessionCounts counts() {
        return new SessionCounts(0, 0, 0, 0, 0, 0, 0);
    }
}
