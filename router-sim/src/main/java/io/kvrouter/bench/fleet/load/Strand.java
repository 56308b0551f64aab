package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.client.Call;
import io.kvrouter.bench.client.Head;
import io.kvrouter.bench.client.Outcome;
import io.kvrouter.bench.workload.SessionTurn;
import io.netty.buffer.ByteBuf;
import java.util.Iterator;

/** Turns that follow one another: those of a session, or of one of its sub-agents. Confined to the client's thread. */
final class Strand {
    private static final double NANOS = 1e9;

    private final Lanes lanes;
    private final Play play;
    private final String id;
    private String worker = "";
    private boolean moved;

    Strand(Lanes lanes, Play play, String id) {
        this.lanes = lanes;
        this.play = play;
        this.id = id;
    }

    /** Sends all of them, each after its pause. */
    void play(Iterator<SessionTurn> turns, Runnable atEnd) {
        if (turns.hasNext()) {
            SessionTurn turn = turns.next();
            lanes.pause(turn, () -> send(turn, () -> play(turns, atEnd)));
        } else {
            atEnd.run();
        }
    }

    /** Sends one. */
    void send(SessionTurn turn, Runnable atEnd) {
        lanes.send(new Asked(turn, atEnd));
    }

    /** A turn on its way. */
    private final class Asked implements Call {
        private final SessionTurn turn;
        private final Runnable atEnd;
        private final long due = System.nanoTime();
        private final int ideal;
        private final byte[] request;
        private final UsageReader usage = new UsageReader();
        private boolean begun;

        Asked(SessionTurn turn, Runnable atEnd) {
            this.turn = turn;
            this.atEnd = atEnd;
            this.ideal = play.ideal().hit(turn);
            this.request = play.text().of(turn, id);
        }

        @Override
        public byte[] request() {
            return request;
        }

        @Override
        public void part(Head head, ByteBuf body) {
            if (!begun && head.good()) {
                lanes.tally().begun(System.nanoTime() - due);
            }
            begun = true;
            usage.read(body);
        }

        @Override
        public void ended(Outcome outcome) {
            switch (outcome) {
                case Outcome.Answered(var head) when head.good() -> answered(head);
                case Outcome.Answered(var head) -> lanes.tally().failed("status " + head.status());
                case Outcome.Unanswered.NOT_SENT -> {
                    return; // no more turns are sent
                }
                case Outcome.Unanswered.NOT_CONNECTED -> lanes.tally().failed("not connected");
                case Outcome.Unanswered.BROKEN_OFF -> lanes.tally().failed("broken off");
            }
            atEnd.run();
        }

        private void answered(Head head) {
            LanesTally tally = lanes.tally();
            tally.answered((System.nanoTime() - due) / NANOS, turn.promptTokens());
            usage.cachedTokens().ifPresent(cached -> {
                int found = cached * lanes.shape().tokenScale();
                tally.cached(turn.promptTokens(), ideal, found);
                head.overlapTokens()
                        .ifPresent(told -> tally.told(
                                turn.promptTokens(), told * lanes.shape().tokenScale(), found));
            });
            if (!worker.isEmpty() && !worker.equals(head.worker())) {
                tally.moved(!moved);
                moved = true;
            }
            worker = head.worker();
        }
    }
}
