package io.kvrouter.http.turn;

import io.kvrouter.http.openai.ApiError;
import java.time.Duration;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * The answer's bytes on their way to the client, unchanged: the first one with content completes the prefill, the last
 * one ends the turn (steps 7 and 8). When the worker breaks off, an event stream gets an error event, and the
 * connection is reset: a clean end would read as success.
 */
final class TurnBody extends GraphStage<FlowShape<ByteString, ByteString>> {
    private static final Duration UNTIL_READ = Duration.ofMillis(50);
    private static final ByteString DATA = ByteString.fromString("data:");

    private final Inlet<ByteString> in = Inlet.create("TurnBody.in");
    private final Outlet<ByteString> out = Outlet.create("TurnBody.out");
    private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
    private final RunningTurn turn;
    private final boolean events;

    /** @param events the body is a stream of server-sent events */
    TurnBody(RunningTurn turn, boolean events) {
        this.turn = turn;
        this.events = events;
    }

    @Override
    public FlowShape<ByteString, ByteString> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends TimerGraphStageLogic {
        private boolean content;
        private Throwable failure = new IllegalStateException("no failure yet");

        Logic() {
            super(shape);
            setHandlers(in, out, new AbstractInOutHandler() {
                @Override
                public void onPush() {
                    pass(grab(in));
                }

                @Override
                public void onPull() {
                    if (!isClosed(in)) { // else the error event was the last
                        pull(in);
                    }
                }

                @Override
                public void onUpstreamFinish() {
                    turn.end();
                    completeStage();
                }

                @Override
                public void onUpstreamFailure(Throwable cause) {
                    turn.end();
                    breakOff(cause);
                }

                @Override
                public void onDownstreamFinish(Throwable cause) {
                    turn.end();
                    cancelStage(cause);
                }
            });
        }

        private void pass(ByteString bytes) {
            if (!content && (!events || bytes.indexOfSlice(DATA) >= 0)) {
                content = true;
                turn.firstContent();
            }
            push(out, bytes);
        }

        private void breakOff(Throwable cause) {
            if (!events) {
                failStage(cause);
                return;
            }
            failure = cause;
            String event = "\n\nevent: error\ndata: "
                    + ApiError.badGateway("stream_broken").json() + "\n\n";
            emit(out, ByteString.fromString(event), () -> scheduleOnce("reset", UNTIL_READ));
        }

        @Override
        public void onTimer(Object key) {
            failStage(failure);
        }
    }
}
