package io.kvrouter.http.server;

import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;
import scala.Option;

/**
 * A request's body that may be given up half-way without giving up the connection. Pekko ends the stream of requests
 * when a body is cancelled (its own size limit does so too), which looks just as if the client had gone, and the answer
 * that says why is lost. So what nobody wants any more is read and dropped, up to twice the limit; not of a client that waits
 * for a go-ahead to send.
 */
final class GuardedBody extends GraphStage<FlowShape<ByteString, ByteString>> {
    private final Inlet<ByteString> in = Inlet.create("request.in");
    private final Outlet<ByteString> out = Outlet.create("request.out");
    private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
    private final long stated;
    private final long limit;
    private final boolean drains;

    private GuardedBody(long stated, long limit, boolean drains) {
        this.stated = stated;
        this.limit = limit;
        this.drains = drains;
    }

    /** The request with a body that fails beyond the limit. */
    static HttpRequest in(HttpRequest request, long limit) {
        RequestEntity entity = request.entity();
        if (entity.isStrict() && entity.getContentLengthOption().orElse(0) <= limit) {
            return request;
        }
        long stated = entity.getContentLengthOption().orElse(-1);
        boolean drains = request.getHeader("expect").isEmpty();
        Flow<ByteString, ByteString, ?> guard = Flow.fromGraph(new GuardedBody(stated, limit, drains));
        HttpEntity open = entity.withoutSizeLimit();
        return stated < 0
                ? request.withEntity(HttpEntities.createChunked(
                        open.getContentType(), open.getDataBytes().via(guard)))
                : request.withEntity(HttpEntities.create(
                        open.getContentType(), stated, open.getDataBytes().via(guard)));
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
        private long read;
        private boolean unwanted;

        Logic() {
            super(shape);
            setHandlers(in, out, new AbstractInOutHandler() {
                @Override
                public void onPush() {
                    take(grab(in));
                }

                @Override
                public void onPull() {
                    pull(in);
                }

                @Override
                public void onDownstreamFinish(Throwable cause) {
                    drop();
                }
            });
        }

        @Override
        public void preStart() {
            if (stated > limit) {
                refuse(Option.apply(stated));
            }
        }

        private void take(ByteString bytes) {
            read += bytes.size();
            if (unwanted && read > 2 * limit) {
                completeStage();
            } else if (unwanted) {
                pull(in);
            } else if (read > limit) {
                refuse(Option.empty());
            } else {
                push(out, bytes);
            }
        }

        private void refuse(Option<Object> size) {
            fail(out, new EntityStreamSizeException(limit, size));
            drop();
        }

        private void drop() {
            unwanted = true;
            if (drains && !hasBeenPulled(in) && !isClosed(in)) {
                pull(in);
            }
        }
    }
}
