package io.kvrouter.http.turn;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.Upstream;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** Workers that answer as a script says. What the script does not name answers 200 with "hello". */
final class FakeUpstream implements Upstream {
    private final Map<URI, CompletableFuture<UpstreamResponse>> script = new HashMap<>();
    private final List<FakeCall> calls = new ArrayList<>();
    private final Set<URI> headsOnly = new HashSet<>();
    private final Set<URI> broken = new HashSet<>();

    /** A call that remembers its abort, which also fails an answer that was not there yet. */
    static final class FakeCall implements Call {
        private final URI worker;
        private final Thread caller = Thread.currentThread();
        private final CompletableFuture<UpstreamResponse> response;
        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private int aborts;

        FakeCall(URI worker, CompletableFuture<UpstreamResponse> response) {
            this.worker = worker;
            this.response = response;
        }

        @Override
        public CompletionStage<UpstreamResponse> response() {
            return response;
        }

        @Override
        public CompletionStage<Void> begun() {
            return begun;
        }

        /** A byte of the answer's body came. */
        void begins() {
            begun.complete(null);
        }

        @Override
        public CompletionStage<Void> ended() {
            return ended;
        }

        /** The worker has sent its last byte. */
        void ends() {
            begins();
            ended.complete(null);
        }

        /** The worker's answer ends before its end. */
        void breaksOff() {
            begins();
            ended.completeExceptionally(new UpstreamException(UpstreamFailure.TRUNCATED, worker, null));
        }

        @Override
        public void abort() {
            synchronized (this) {
                aborts++;
            }
            var why = new UpstreamException(UpstreamFailure.ABORTED, worker, null);
            response.completeExceptionally(why);
            ended.completeExceptionally(why);
        }

        /** On which thread it was called. */
        Thread caller() {
            return caller;
        }

        synchronized boolean aborted() {
            return aborts > 0;
        }
    }

    static UpstreamResponse response(int status, Source<ByteString, NotUsed> body, Header... headers) {
        return new UpstreamResponse(status, "Reason", List.of(headers), OptionalLong.empty(), body);
    }

    static UpstreamResponse response(int status, String body) {
        return response(status, Source.single(ByteString.fromString(body)));
    }

    /** Head and body at once. */
    static UpstreamResponse whole(int status, String body) {
        var bytes = ByteString.fromString(body);
        return new UpstreamResponse(
                status, "Reason", List.of(), OptionalLong.of(bytes.size()), Source.single(bytes), Optional.of(bytes));
    }

    /** The worker's answer to its next calls. */
    void at(URI worker, UpstreamResponse answer) {
        script.put(worker, CompletableFuture.completedFuture(answer));
    }

    void at(URI worker, UpstreamFailure failure) {
        script.put(worker, CompletableFuture.failedFuture(new UpstreamException(failure, worker, null)));
    }

    /** The worker's answer comes when the future is completed. */
    CompletableFuture<UpstreamResponse> later(URI worker) {
        var answer = new CompletableFuture<UpstreamResponse>();
        script.put(worker, answer);
        return answer;
    }

    /** Of the worker's answer nothing but the head comes. */
    void headOnlyAt(URI worker) {
        headsOnly.add(worker);
    }

    /** Calls to the worker throw: a bug. */
    void breaksAt(URI worker) {
        broken.add(worker);
    }

    @Override
    public synchronized Call call(UpstreamRequest request) {
        if (broken.contains(request.base())) {
            throw new IllegalStateException("broken");
        }
        var answer = script.computeIfAbsent(
                request.base(), any -> CompletableFuture.completedFuture(response(200, "hello")));
        var call = new FakeCall(request.base(), answer);
        calls.add(call);
        if (!headsOnly.contains(request.base())) {
            call.begins();
        }
        return call;
    }

    /** The ports of the workers that were called, in order. */
    synchronized List<URI> called() {
        return calls.stream().map(call -> call.worker).toList();
    }

    synchronized FakeCall call(int number) {
        return calls.get(number);
    }
}
