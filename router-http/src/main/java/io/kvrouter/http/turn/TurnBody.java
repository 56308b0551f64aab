package io.kvrouter.http.turn;

import io.kvrouter.http.openai.LastBytes;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * The answer's bytes on their way to the client, unchanged: the first one with content completes the prefill, the last
 * one ends the turn (steps 7 and 8), if its worker has not ended it before. What the engine tells of its tokens is read
 * here, so they are told when the client has taken all.
 */
final class TurnBody extends GraphStage<FlowShape<ByteString, ByteString>> {
    private static final byte[] DATA = "data:".getBytes(StandardCharsets.US_ASCII);
    private static final int OUTPUT_STEP = 16; // tokens: about a KV block, so that the load grows with each

    private final Inlet<ByteString> in = Inlet.create("TurnBody.in");
    private final Outlet<ByteString> out = Outlet.create("TurnBody.out");
    private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
    private final RunningTurn turn;
    private final boolean events;

    /**
     * The bytes of a turn.
     *
     * @param events they are server-sent events: comments that keep the connection alive are no content
     */
    TurnBody(RunningTurn turn, boolean events) {
        this.turn = turn;
        this.events = events;
    }

    /** The same for an answer that came all at once: there is nothing left to watch. */
    static void passed(RunningTurn turn, ByteString body) {
        var last = new LastBytes();
        last.add(body);
        turn.firstContent();
        turn.used(last.usage());
        turn.end();
    }

    @Override
    public FlowShape<ByteString, ByteString> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic {
        private final LastBytes last = new LastBytes();
        private final DataLines lines = new DataLines();
        private final boolean counting = events && turn.countsOutput();
        private final boolean booking = events && turn.booksOutput();
        private boolean content;
        private long output;

        Logic() {
            super(shape);
            setHandlers(in, out, new AbstractInOutHandler() {
                @Override
                public void onPush() {
                    pass(grab(in));
                }

                @Override
                public void onPull() {
                    pull(in);
                }

                @Override
                public void onUpstreamFinish() {
                    turn.used(last.usage());
                    over();
                    completeStage();
                }

                @Override
                public void onUpstreamFailure(Throwable cause) {
                    turn.brokeOff(cause);
                    over();
                    failStage(cause);
                }

                @Override
                public void onDownstreamFinish(Throwable cause) {
                    over();
                    cancelStage(cause);
                }
            });
        }

        /** Also by a fault of this stage itself, of which its handlers hear nothing. */
        @Override
        public void postStop() {
            turn.end();
        }

        private void pass(ByteString bytes) {
            if (counting || !content) {
                long before = output;
                output += events ? lines.count(bytes) : 1;
                told(before);
            }
            last.add(bytes);
            push(out, bytes);
        }

        /** Engines send an event a token; what they say of their usage comes when it does not matter any more. */
        private void told(long before) {
            if (before == 0 && output > 0) {
                content = true;
                turn.firstContent();
            }
            if (counting && output / OUTPUT_STEP > before / OUTPUT_STEP) {
                grown();
            }
        }

        private void grown() {
            turn.counted(output);
            if (booking) {
                turn.output(output);
            }
        }

        private void over() {
            if (counting) {
                turn.counted(output);
            }
            turn.end();
        }
    }

    /** Finds lines of data, however the bytes are cut: whatever stands in a comment or inside of a line is none. */
    private static final class DataLines {
        private int matched; // bytes of the field's name that the line has so far; -1 if it is another line

        long count(ByteString bytes) {
            long found = 0;
            for (int i = 0; i < bytes.length(); i++) {
                byte next = bytes.apply(i);
                if (next == '\n' || next == '\r') {
                    matched = 0;
                } else if (matched >= 0) {
                    matched = next == DATA[matched] ? matched + 1 : -1;
                    if (matched == DATA.length) {
                        found++;
                        matched = -1;
                    }
                }
            }
            return found;
        }
    }
}
