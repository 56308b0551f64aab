package io.kvrouter.http.server;

import java.time.Duration;
import java.util.function.ToIntFunction;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.ResponseEntity;
import org.apache.pekko.http.scaladsl.model.HttpEntity.ChunkStreamPart;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.InHandler;
import org.apache.pekko.stream.stage.OutHandler;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * Passes the parts of a body and reports them, and how it ended. A client that reads nothing for too long is gone: what
 * waits for it holds a worker, and its socket tells nothing as long as its system answers for it.
 */
final class WatchedBody<T> extends GraphStage<FlowShape<T, T>> {
    private static final String UNREAD = "unread";

    private final Inlet<T> in = Inlet.create("body.in");
    private final Outlet<T> out = Outlet.create("body.out");
    private final FlowShape<T, T> shape = FlowShape.of(in, out);
    private final Watcher watcher;
    private final ToIntFunction<T> size;
    private final Duration unread;

    /** Who is told. */
    interface Watcher {
        /** So many bytes were handed over. */
        void passed(long bytes);

        /** The body is over. */
        void end(Exchange.End how);
    }

    private WatchedBody(Watcher watcher, ToIntFunction<T> size, Duration unread) {
        this.watcher = watcher;
        this.size = size;
        this.unread = unread;
    }

    /**
     * The response with its body watched.
     *
     * @param unread how long nobody may ask for more of it
     */
    static HttpResponse in(HttpResponse response, Watcher watcher, Duration unread) {
        ResponseEntity entity = response.entity();
        if (entity instanceof org.apache.pekko.http.scaladsl.model.HttpEntity.Chunked chunked) {
            Source<ChunkStreamPart, Object> chunks = Source.fromGraph(chunked.chunks())
                    .via(new WatchedBody<ChunkStreamPart>(
                            watcher, part -> part.data().length(), unread));
            return response.withEntity((ResponseEntity) new org.apache.pekko.http.scaladsl.model.HttpEntity.Chunked(
                    chunked.contentType(), chunks.asScala()));
        }
        Source<ByteString, ?> data = entity.getDataBytes().via(new WatchedBody<>(watcher, ByteString::length, unread));
        HttpEntity watched = entity.isCloseDelimited()
                ? HttpEntities.createCloseDelimited(entity.getContentType(), data)
                : HttpEntities.create(
                        entity.getContentType(), entity.getContentLengthOption().orElseThrow(), data);
        return response.withEntity((ResponseEntity) watched);
    }

    @Override
    public FlowShape<T, T> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends TimerGraphStageLogic implements InHandler, OutHandler {
        private long handedOver = System.nanoTime();

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void onPush() {
            T part = grab(in);
            watcher.passed(size.applyAsInt(part));
            handedOver = System.nanoTime();
            push(out, part);
        }

        @Override
        public void onPull() {
            pull(in);
        }

        @Override
        public void onUpstreamFinish() {
            watcher.end(Exchange.End.DONE);
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            watcher.end(Exchange.End.BROKEN);
            failStage(failure);
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            watcher.end(Exchange.End.CLIENT_GONE);
            cancelStage(cause);
        }

        @Override
        public void preStart() {
            scheduleOnce(UNREAD, unread);
        }

        /** One timer per body that looks when the time could be over, instead of one that each part moves. */
        @Override
        public void onTimer(Object key) {
            Duration left = isAvailable(out) ? unread : unread.minusNanos(System.nanoTime() - handedOver);
            if (left.isPositive()) {
                scheduleOnce(UNREAD, left);
            } else {
                watcher.end(Exchange.End.CLIENT_GONE);
                failStage(new IllegalStateException("unread for " + unread));
            }
        }
    }
}
