package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.upstream.UpstreamException;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;

/** The reader's end of a {@link BodyFeed} as a source to be run once. Cancelling it aborts the call. */
final class FeedSource extends GraphStage<SourceShape<ByteString>> {
    private final Outlet<ByteString> out = Outlet.create("upstream.body");
    private final SourceShape<ByteString> shape = SourceShape.of(out);
    private final BodyFeed feed;
    private final Runnable abort;

    FeedSource(BodyFeed feed, Runnable abort) {
        this.feed = feed;
        this.abort = abort;
    }

    @Override
    public SourceShape<ByteString> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements Runnable {
        private final AsyncCallback<FeedSource> news = createAsyncCallback(source -> deliver());

        Logic() {
            super(shape);
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    deliver();
                }

                @Override
                public void onDownstreamFinish(Throwable cause) {
                    abort.run();
                    completeStage();
                }
            });
        }

        @Override
        public void preStart() {
            feed.reader(this);
            endIfOver();
        }

        /** Wakes this stage from whichever thread has news. */
        @Override
        public void run() {
            news.invoke(FeedSource.this);
        }

        private void deliver() {
            if (isAvailable(out)) {
                ByteString bytes = feed.take(this);
                if (!bytes.isEmpty()) {
                    push(out, bytes);
                }
            }
            endIfOver();
        }

        /** Also where nobody asks for more: an end is no element. */
        private void endIfOver() {
            if (feed.drained()) {
                UpstreamException failure = feed.failure();
                if (failure == null) {
                    completeStage();
                } else {
                    failStage(failure);
                }
            }
        }
    }
}
