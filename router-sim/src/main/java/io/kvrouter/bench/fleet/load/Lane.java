package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.workload.SessionTurn;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Plays one session after the other, each as one that nobody has seen before: the first from a random turn on, the
 * others from their beginning. Confined to the client's thread.
 */
final class Lane {
    /** Lanes of two seeds have nothing in common. */
    private static final long MOST_LANES = 1_000_003;

    private final Lanes lanes;
    private final int number;
    private final RandomGenerator random;
    private Play play;
    private Strand main;
    private int plays;

    Lane(Lanes lanes, int number) {
        this.lanes = lanes;
        this.number = number;
        this.random = new SplittableRandom(lanes.shape().seed() * MOST_LANES + number);
        this.play = nextPlay();
        this.main = new Strand(lanes, play, play.id());
    }

    /** Its first turn comes within the longest pause, so that not all begin at once. */
    void start() {
        Iterator<SessionTurn> turns = play.session().turns();
        for (int skipped = random.nextInt(play.session().length()); skipped > 0; skipped--) {
            turns.next();
        }
        SessionTurn turn = turns.next();
        lanes.after(lanes.shape().longestPause() * random.nextDouble(), () -> main.send(turn, this::next));
    }

    private Play nextPlay() {
        plays++;
        return new Play(lanes, "s" + lanes.shape().seed() + "-" + number + "-" + plays, random);
    }

    /** The turn comes when its pause is over, and its sub-agents have ended. */
    private void next() {
        if (!play.session().turns().hasNext()) {
            play = nextPlay();
            main = new Strand(lanes, play, play.id());
        }
        SessionTurn turn = play.session().turns().next();
        var ready = new AllOf(turn.agents().size() + 1, () -> main.send(turn, this::next));
        lanes.pause(turn, ready::one);
        for (List<SessionTurn> agent : turn.agents()) {
            new Strand(lanes, play, play.nextAgent()).play(agent.iterator(), ready::one);
        }
    }

    /** Does it when so many things have happened. */
    private static final class AllOf {
        private final Runnable action;
        private int left;

        AllOf(int count, Runnable action) {
            this.left = count;
            this.action = action;
        }

        void one() {
            left--;
            if (left == 0) {
                action.run();
            }
        }
    }
}
