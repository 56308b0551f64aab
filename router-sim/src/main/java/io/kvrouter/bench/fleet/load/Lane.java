package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.fleet.load.Asked.Outcome;
import io.kvrouter.bench.workload.InfiniteCache;
import io.kvrouter.bench.workload.Session;
import io.kvrouter.bench.workload.SessionTurn;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Plays one session after the other, each as one that nobody has seen before: the first from a random turn on, the
 * others from their beginning. Confined to the client's thread.
 */
final class Lane {
    private static final double NANOS = 1e9;
    /** Lanes of two seeds have nothing in common. */
    private static final long MOST_LANES = 1_000_003;

    private final Lanes lanes;
    private final int number;
    private final RandomGenerator random;
    private Play play;
    private int plays;

    /** One session under way. */
    private static final class Play {
        private final Session session;
        private final TurnText text;
        private final InfiniteCache ideal = new InfiniteCache();
        private String worker = "";
        private boolean moved;

        Play(Session session, TurnText text) {
            this.session = session;
            this.text = text;
        }
    }

    Lane(Lanes lanes, int number) {
        this.lanes = lanes;
        this.number = number;
        this.random = new SplittableRandom(lanes.shape().seed() * MOST_LANES + number);
        this.play = begin();
    }

    /** Its first turn comes within the longest pause, so that not all begin at once. */
    void start() {
        int skipped = random.nextInt(play.session.length());
        for (int i = 0; i < skipped; i++) {
            play.session.turns().next();
        }
        SessionTurn turn = play.session.turns().next();
        lanes.after(lanes.shape().pause(lanes.shape().thinkCap()) * random.nextDouble(), () -> send(turn));
    }

    private Play begin() {
        plays++;
        Session session = lanes.source().next(random);
        var id = "s" + lanes.shape().seed() + "-" + number + "-" + plays;
        return new Play(session, new TurnText(lanes.shape(), id, random.nextLong()));
    }

    private void next() {
        if (!play.session.turns().hasNext()) {
            play = begin();
        }
        SessionTurn turn = play.session.turns().next();
        lanes.after(lanes.shape().pause(turn.thinkSeconds()), () -> send(turn));
    }

    private void send(SessionTurn turn) {
        long due = System.nanoTime();
        int ideal = play.ideal.hit(turn);
        lanes.send(new Asked(
                ByteBuffer.wrap(play.text.of(turn)), first -> lanes.tally().begun(first - due), outcome -> {
                    ended(turn, ideal, due, outcome);
                    next();
                }));
    }

    private void ended(SessionTurn turn, int ideal, long due, Outcome outcome) {
        LanesTally tally = lanes.tally();
        if (!outcome.succeeded()) {
            tally.failed(outcome.status() == 0 ? "broken off" : "status " + outcome.status());
            return;
        }
        tally.answered((outcome.endNanos() - due) / NANOS, turn.promptTokens());
        if (outcome.cachedTokens() != Outcome.NOT_TOLD) {
            tally.cached(
                    turn.promptTokens(),
                    ideal,
                    outcome.cachedTokens() * lanes.shape().tokenScale());
        }
        if (!play.worker.isEmpty() && !play.worker.equals(outcome.worker())) {
            tally.moved(!play.moved);
            play.moved = true;
        }
        play.worker = outcome.worker();
    }
}
