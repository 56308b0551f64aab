package io.kvrouter.http.h2;

import io.netty.channel.ChannelFuture;
import java.util.OptionalLong;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * Writes the body of an answer, and asks for more when what it wrote has gone out: as fast as the client opens its window.
 *
 * <p>The last bytes of a stated length end the answer, though the body may go on for a while without any: the client need
 * not wait for that.
 */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the future it was called on
final class AnswerSink extends GraphStage<SinkShape<ByteString>> {
    private final Inlet<ByteString> in = Inlet.create("answer");
    private final SinkShape<ByteString> shape = SinkShape.of(in);
    private final OutgoingAnswer answer;
    private final OptionalLong length;

    /** @param length of the body, if it was stated */
    AnswerSink(OutgoingAnswer answer, OptionalLong length) {
        this.answer = answer;
        this.length = length;
    }

    @Override
    public SinkShape<ByteString> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic {
        private final AsyncCallback<Boolean> written = createAsyncCallback(this::onWritten);
        private long left = length.orElse(Long.MAX_VALUE);
        private boolean complete;
        private volatile boolean stopped;

        Logic() {
            super(shape);
            setHandler(in, new AbstractInHandler() {
                @Override
                public void onPush() {
                    write(grab(in));
                }

                @Override
                public void onUpstreamFinish() {
                    end();
                    completeStage();
                }

                @Override
                public void onUpstreamFailure(Throwable failure) {
                    answer.reset();
                    failStage(failure);
                }
            });
        }

        @Override
        public void preStart() {
            answer.whenClosed(this::closed);
            pull(in);
        }

        @Override
        public void postStop() {
            stopped = true;
        }

        /** Mostly because the answer has ended. */
        private void closed() {
            if (!stopped) {
                written.invoke(false);
            }
        }

        private void write(ByteString bytes) {
            left -= bytes.size();
            if (left < 0) {
                answer.reset();
                cancelStage(new IllegalStateException("a body longer than stated"));
                return;
            }
            if (complete) {
                pull(in);
                return;
            }
            complete = left == 0;
            ChannelFuture future = answer.write(bytes, complete);
            if (future.isSuccess()) { // at once, where this is the connection's loop and its socket takes it
                pull(in);
            } else {
                future.addListener(done -> written.invoke(done.isSuccess()));
            }
        }

        private void onWritten(boolean done) {
            if (!done && !complete) {
                cancelStage(new IllegalStateException("the client has gone"));
            } else if (done && !hasBeenPulled(in) && !isClosed(in)) {
                pull(in);
            }
        }

        private void end() {
            if (length.isPresent() && left > 0) {
                answer.reset();
            } else if (!complete) {
                answer.write(ByteString.emptyByteString(), true);
            }
        }
    }
}
