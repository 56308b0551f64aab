package io.kvrouter.http.server;

import io.kvrouter.http.openai.ApiError;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.http.javadsl.model.HttpProtocols;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.Connection;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.InHandler;
import org.apache.pekko.stream.stage.OutHandler;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.jspecify.annotations.Nullable;

/**
 * One client connection: it holds the exchange in flight, and aborts it when the client goes. Requests are answered one
 * after the other. Further ones are read ahead all the same, because a socket that nobody reads never shows its end.
 */
final class ConnectionStage extends GraphStage<FlowShape<HttpRequest, HttpResponse>> {
    private static final int READ_AHEAD = 16;
    private static final String IDLE = "idle";
    private static final String UNREAD = "unread";

    private final Inlet<HttpRequest> in = Inlet.create("requests");
    private final Outlet<HttpResponse> out = Outlet.create("responses");
    private final FlowShape<HttpRequest, HttpResponse> shape = FlowShape.of(in, out);
    private final Endpoint endpoint;
    private final ServerLifecycle lifecycle;
    private final ApiServerSettings settings;

    ConnectionStage(Endpoint endpoint, ServerLifecycle lifecycle, ApiServerSettings settings) {
        this.endpoint = endpoint;
        this.lifecycle = lifecycle;
        this.settings = settings;
    }

    @Override
    public FlowShape<HttpRequest, HttpResponse> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private static Exchange refuse(HttpRequest request) {
        return Exchange.answered(ApiError.tooManyConnections().response());
    }

    /**
     * Whether Pekko ends the stream of requests behind this one, with its client still there: it does so as soon as it has
     * read the body of the last one, if that did not come with its head. When such a client leaves it is seen at the next
     * write, or if it resets.
     */
    private static boolean endsRequests(HttpRequest request) {
        if (request.entity().isStrict()) {
            return false;
        }
        Set<String> wants = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        request.getHeader(Connection.class)
                .ifPresent(header -> header.getTokens().forEach(wants::add));
        return wants.contains("close")
                || (request.protocol().equals(HttpProtocols.HTTP_1_0) && !wants.contains("keep-alive"));
    }

    /** What an exchange answered; of one that is over by now it is not used. */
    private record Answer(InFlight exchange, HttpResponse response) {}

    private final class Logic extends TimerGraphStageLogic
            implements InHandler, OutHandler, ServerLifecycle.OpenConnection {
        private final Deque<HttpRequest> waiting = new ArrayDeque<>();
        private final AsyncCallback<Answer> answered = createAsyncCallback(this::onAnswer);
        private final AsyncCallback<InFlight> over = createAsyncCallback(this::onOver);
        private final AsyncCallback<ServerLifecycle> drained = createAsyncCallback(any -> closeIfIdle());
        private @Nullable InFlight current;
        private @Nullable HttpResponse ready;
        private boolean tooMany;
        private boolean endsByItself;
        private boolean wasIdle;
        private boolean answering;

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void preStart() {
            tooMany = lifecycle.opened(this) > settings.maxConnections();
            scheduleAtFixedRate(IDLE, settings.keepAlive(), settings.keepAlive());
            pull(in);
        }

        @Override
        public void drain() {
            drained.invoke(lifecycle);
        }

        @Override
        public void onTimer(Object key) {
            if (key.equals(UNREAD)) {
                unread();
                return;
            }
            if (wasIdle && isIdle()) {
                close();
            }
            wasIdle = isIdle();
        }

        /** The client does not read what went before: an answer waits for that, or the connection's end. */
        private void unread() {
            if (current != null) {
                current.end(Exchange.End.CLIENT_GONE);
            }
            failStage(new IllegalStateException("unread for " + settings.writeTimeout()));
        }

        /** What the client has not read yet of the last answer is still sent, for as long as it may leave that unread. */
        private void close() {
            if (isAvailable(out)) {
                completeStage();
            } else if (!isTimerActive(UNREAD)) {
                scheduleOnce(UNREAD, settings.writeTimeout());
            }
        }

        @Override
        public void onPush() {
            wasIdle = false;
            waiting.add(grab(in));
            readAhead();
            beginNext();
        }

        private void readAhead() {
            if (waiting.size() < READ_AHEAD && !hasBeenPulled(in) && !isClosed(in)) {
                pull(in);
            }
        }

        private void beginNext() {
            if (current != null || waiting.isEmpty()) {
                return;
            }
            lifecycle.began();
            HttpRequest request = waiting.remove();
            endsByItself = endsRequests(request);
            InFlight next;
            try {
                next = new InFlight(
                        tooMany ? ConnectionStage::refuse : endpoint,
                        GuardedBody.in(request, settings.maxBody()),
                        this::whenOver);
            } catch (RuntimeException e) {
                next = new InFlight(any -> Exchange.answered(InFlight.failed(e)), HttpRequest.create(), this::whenOver);
            }
            current = next;
            answering = false;
            InFlight begun = next;
            begun.response()
                    .whenComplete((response, failure) ->
                            answered.invoke(new Answer(begun, response == null ? InFlight.failed(failure) : response)));
            readAhead();
        }

        /** May run on any stage of this connection, or after it. */
        private void whenOver(InFlight ended) {
            lifecycle.ended();
            over.invoke(ended);
        }

        private void onAnswer(Answer answer) {
            if (answer.exchange() != current || isClosed(out)) {
                return;
            }
            ready = isLast() ? answer.response().addHeader(Connection.create("close")) : answer.response();
            if (isAvailable(out)) {
                onPull();
            } else {
                scheduleOnce(UNREAD, settings.writeTimeout());
            }
        }

        @Override
        public void onPull() {
            cancelTimer(UNREAD);
            HttpResponse response = ready;
            InFlight exchange = current;
            if (response == null || exchange == null) {
                return;
            }
            ready = null;
            answering = true;
            push(out, exchange.watched(response, settings.writeTimeout()));
            if (!exchange.isWatched(response)) {
                exchange.end(Exchange.End.DONE);
            }
        }

        private void onOver(InFlight ended) {
            if (ended != current) {
                return;
            }
            current = null;
            if (isLast() || isClosed(in)) {
                completeStage();
            } else {
                beginNext();
            }
        }

        /** Whether the connection ends with the request in flight. */
        private boolean isLast() {
            return tooMany || lifecycle.draining();
        }

        private boolean isIdle() {
            return current == null && waiting.isEmpty();
        }

        private void closeIfIdle() {
            if (isIdle()) {
                completeStage();
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (!(endsByItself && current != null)) {
                clientGone();
            }
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            clientGone();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            clientGone();
        }

        /** Also one that sent what is no request: where an answer is owed, it is that; none at all would go out as a 500. */
        private void clientGone() {
            waiting.clear();
            if (current != null) {
                current.end(Exchange.End.CLIENT_GONE);
                if (!answering && isAvailable(out)) {
                    push(out, InFlight.brokenOff());
                }
            }
            completeStage();
        }

        @Override
        public void postStop() {
            if (current != null) {
                current.end(Exchange.End.CLIENT_GONE);
            }
            lifecycle.closed(this);
        }
    }
}
