package io.kvrouter.http.server;

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
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;

/** Passes the parts of a body and reports them, and how it ended. */
final class WatchedBody<T> extends GraphStage<FlowShape<T, T>> {
    private final Inlet<T> in = Inlet.create("body.in");
    private final Outlet<T> out = Outlet.create("body.out");
    private final FlowShape<T, T> shape = FlowShape.of(in, out);
    private final Watcher watcher;
    private final ToIntFunction<T> size;

    /** Who is told. */
    interface Watcher {
        /** So many bytes were handed over. */
        void passed(long bytes);

        /** The body is over. */
        void end(Exchange.End how);
    }

    private WatchedBody(Watcher watcher, ToIntFunction<T> size) {
        this.watcher = watcher;
        this.size = size;
    }

    static HttpResponse in(HttpResponse response, Watcher watcher) {
        ResponseEntity entity = response.entity();
        if (entity instanceof org.apache.pekko.http.scaladsl.model.HttpEntity.Chunked chunked) {
            Source<ChunkStreamPart, Object> chunks = Source.fromGraph(chunked.chunks())
                    .via(new WatchedBody<ChunkStreamPart>(
                            watcher, part -> part.data().length()));
            return response.withEntity((ResponseEntity) new org.apache.pekko.http.scaladsl.model.HttpEntity.Chunked(
                    chunked.contentType(), chunks.asScala()));
        }
        Source<ByteString, ?> data = entity.getDataBytes().via(new WatchedBody<>(watcher, ByteString::length));
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

    private final class Logic extends GraphStageLogic {
        Logic() {
            super(shape);
            setHandlers(in, out, new AbstractInOutHandler() {
                @Override
                public void onPush() {
                    T part = grab(in);
                    watcher.passed(size.applyAsInt(part));
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
            });
        }
    }
}
