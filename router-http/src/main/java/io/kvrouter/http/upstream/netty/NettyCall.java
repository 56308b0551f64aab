package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamResponse;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.net.URI;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call. All its state belongs to its event loop; only {@link #abort()} and the feed's resume come from elsewhere.
 *
 * <p><b>Sent again, once:</b> a worker that closes an idle connection may do so while a request is already on its way
 * to it. Connections are asked before reuse whether they are closed, so what is left is the time of one flight. If a
 * reused connection ends without a single byte of an answer within {@link #CLOSING_RACE_NANOS} of sending, the request
 * goes out once more on a fresh connection. Nothing is booked twice, because bookings belong to the call and not to
 * its sending; nothing is generated twice side by side, because a worker that did read the request has ended its work
 * with the connection, as it does for any client that is gone. If the fresh connection is not to be had, the worker died
 * rather than idled: the first failure is reported, so that the caller does not take it for a worker that saw nothing.
 */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the future it was called on
final class NettyCall implements Call {
    private static final long CLOSING_RACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final URI worker;
    private final String method;
    private final EventLoop loop;
    private final NettyUpstream upstream;
    private final BodyFeed feed = new BodyFeed(this::resume);
    private final CallTimes times;
    private final ToldAnswer answer = new ToldAnswer(feed, this::abort);
    private @Nullable UpstreamRequest
            request; // until it can't be sent again: a body is not held while its answer streams
    private @Nullable Future<WorkerConnection> opening;
    private @Nullable WorkerConnection connection;
    private @Nullable ResponseHead head;
    private boolean interim;
    private boolean reused;
    private boolean again;
    private boolean ended;
    private long sentAt;

    NettyCall(UpstreamRequest request, EventLoop loop, NettyUpstream upstream) {
        this.worker = request.base();
        this.method = request.method();
        this.request = request;
        this.loop = loop;
        this.upstream = upstream;
        this.times = new CallTimes(loop, upstream.settings(), this::look);
    }

    @Override
    public CompletionStage<UpstreamResponse> response() {
        return answer.response();
    }

    @Override
    public CompletionStage<Void> begun() {
        return answer.begun();
    }

    @Override
    public CompletionStage<Void> ended() {
        return answer.ended();
    }

    @Override
    public void abort() {
        if (loop.inEventLoop()) {
            fail(UpstreamFailure.ABORTED, null);
        } else {
            loop.execute(() -> fail(UpstreamFailure.ABORTED, null));
        }
    }

    void start() {
        if (ended) {
            return;
        }
        times.begin();
        WorkerConnection waiting = upstream.pool(loop).take(Target.of(worker));
        if (waiting == null) {
            connect();
        } else {
            reused = true;
            send(waiting);
        }
    }

    private void connect() {
        reused = false;
        Future<WorkerConnection> attempt = upstream.connector().open(Target.of(worker), loop);
        opening = attempt;
        attempt.addListener(done -> {
            opening = null;
            if (done.isSuccess()) {
                send(attempt.getNow());
            } else if (!done.isCancelled()) {
                fail(again ? UpstreamFailure.RESET_BEFORE_HEAD : connectFailure(done.cause()), done.cause());
            }
        });
    }

    private static UpstreamFailure connectFailure(Throwable cause) {
        boolean refused = cause instanceof ConnectException
                && !(cause instanceof ConnectTimeoutException)
                && String.valueOf(cause.getMessage()).contains("refused");
        return refused ? UpstreamFailure.CONNECT_REFUSED : UpstreamFailure.CONNECT_FAILED;
    }

    private void send(WorkerConnection to) {
        UpstreamRequest sending = request;
        if (sending == null) { // ended while it was connected
            to.close();
            return;
        }
        connection = to;
        sentAt = System.nanoTime();
        to.send(this, method, RequestBytes.of(sending));
        if (!ended) {
            times.sent();
        }
    }

    private void look() {
        if (head == null && connection != null) {
            connection.dropIfUnheard();
        }
        if (!ended) {
            times.over(feed.paused()).ifPresent(failure -> fail(failure, null));
        }
    }

    /** Takes one part of the answer, of which the caller keeps the ownership. */
    void read(HttpObject part) {
        if (part.decoderResult().isFailure()) {
            broken(part.decoderResult().cause());
            return;
        }
        if (part instanceof HttpResponse begin) {
            readHead(begin);
        }
        if (part instanceof HttpContent content && !ended) {
            readContent(content);
        }
    }

    private void broken(Throwable cause) {
        if (cause instanceof PrematureChannelClosureException) {
            lost(cause);
        } else {
            fail(UpstreamFailure.BAD_RESPONSE, cause);
        }
    }

    private void readHead(HttpResponse begin) {
        String fault = StrictDecoder.fault(begin);
        if (!fault.isEmpty()) {
            fail(UpstreamFailure.BAD_RESPONSE, new IllegalArgumentException(fault));
            return;
        }
        interim = begin.status().code() < 200;
        if (interim) {
            return;
        }
        ResponseHead read;
        try {
            read = ResponseHead.of(begin, connection != null && connection.contradicts());
        } catch (IllegalArgumentException e) {
            fail(UpstreamFailure.BAD_RESPONSE, e);
            return;
        }
        head = read;
        request = null;
        times.answered();
        answer.came(read, method);
        if (read.cut() && !ended) {
            complete();
        }
    }

    /** All that came by now is read. */
    void readComplete() {
        answer.tell();
    }

    private void readContent(HttpContent content) {
        if (interim) {
            return;
        }
        times.heard();
        if (content.content().isReadable()) {
            take(content.content());
        }
        if (content instanceof LastHttpContent && !ended) {
            complete();
        }
    }

    private void take(ByteBuf bytes) {
        boolean more = feed.offer(bytes);
        if (!more && connection != null) {
            connection.pause();
        }
        answer.begin();
    }

    private void complete() {
        WorkerConnection used = connection;
        boolean cut = head != null && head.cut();
        if (used != null && used.hasUnread() && !cut) {
            fail(UpstreamFailure.BAD_RESPONSE, new IllegalArgumentException("bytes after the end of the answer"));
            return;
        }
        connection = null;
        boolean keep = head != null && head.keepAlive();
        end();
        feed.end(null);
        if (used != null && used.detach(System.nanoTime()) && keep) {
            upstream.pool(loop).give(used);
        } else if (used != null) {
            used.close();
        }
        answer.complete();
    }

    /** The connection is gone, though the answer is not complete. */
    void lost(@Nullable Throwable cause) {
        WorkerConnection gone = connection;
        connection = null;
        if (ended || gone == null) {
            return;
        }
        if (head != null) {
            fail(UpstreamFailure.TRUNCATED, cause);
        } else if (reused && gone.untouched() && System.nanoTime() - sentAt < CLOSING_RACE_NANOS) {
            again = true;
            connect();
        } else {
            fail(UpstreamFailure.RESET_BEFORE_HEAD, cause);
        }
    }

    private void fail(UpstreamFailure failure, @Nullable Throwable cause) {
        if (ended) {
            return;
        }
        end();
        if (opening != null) {
            opening.cancel(false);
        }
        if (connection != null) {
            connection.reset();
            connection = null;
        }
        UpstreamException why = new UpstreamException(failure, worker, cause);
        feed.end(why);
        answer.fail(why);
    }

    private void end() {
        ended = true;
        request = null;
        times.end();
        upstream.ended();
    }

    private void resume() {
        if (loop.inEventLoop()) {
            resumeHere();
        } else {
            loop.execute(this::resumeHere);
        }
    }

    private void resumeHere() {
        if (connection != null) {
            connection.resume();
        }
    }
}
