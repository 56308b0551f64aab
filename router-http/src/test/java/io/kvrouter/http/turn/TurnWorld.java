package io.kvrouter.http.turn;

import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.SessionMode;
import io.kvrouter.failover.Outcome;
import io.kvrouter.failover.RetrySettings;
import io.kvrouter.http.failover.Retries;
import io.kvrouter.http.openai.Dialect;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.http.turn.request.TurnRequest.Affinity;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.kv.Prompt;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnId;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;

/** A turn, and everything around it as a test wants it: three workers A, B and C, selected in this order. */
final class TurnWorld {
    static final WorkerId A = new WorkerId("a");
    static final WorkerId B = new WorkerId("b");
    static final WorkerId C = new WorkerId("c");
    static final long TTL_MS = 40_000;

    private final class SeenWorkers implements TurnPorts.Workers {
        @Override
        public Fleet get() {
            return fleet;
        }

        @Override
        public void suspect(WorkerId worker) {
            suspects.add(worker);
        }

        @Override
        public void report(WorkerId worker, Outcome outcome, long sent) {
            reports.add(worker + " " + outcome);
        }

        @Override
        public void rest(WorkerId worker, Duration time) {
            reports.add(worker + " rests " + time.toSeconds());
        }
    }

    private final class Meter implements TurnPorts.TurnMeter {
        @Override
        public void compare(long predicted, long reported) {
            comparisons.add(predicted + " of " + reported);
        }

        @Override
        public boolean countsTokens() {
            return countTokens;
        }

        @Override
        public void spends(long tokens) {
            spent.add(tokens);
        }
    }

    private final ActorSystem<?> system;
    private final List<Long> spent = new CopyOnWriteArrayList<>();
    private final List<String> comparisons = new ArrayList<>();
    private TurnPrompt prompt = TurnPrompt.of(Prompt.ofText("0123456789abcdef"));
    private final List<WorkerId> suspects = new ArrayList<>();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private RetrySettings retries =
            new RetrySettings(3, 0, 100, Duration.ofMillis(1), Duration.ofSeconds(30), Duration.ZERO);
    private Fleet fleet = fleet(A, B, C);
    private Set<WorkerId> allowed = Set.of();
    private Optional<WorkerId> override = Optional.empty();
    private boolean last;
    private boolean countOutput;
    private boolean countTokens;
    private SessionMode mode = SessionMode.SOFT;
    private Executor loop = Runnable::run;
    final FakeDesk desk = new FakeDesk(() -> fleet);
    final FakeSessions sessions = new FakeSessions();
    final FakeUpstream upstream = new FakeUpstream();

    TurnWorld(ActorSystem<?> system) {
        this.system = system;
    }

    static URI url(WorkerId worker) {
        return URI.create("http://" + worker + ":80");
    }

    static Fleet fleet(WorkerId... workers) {
        return new Fleet(Arrays.stream(workers).map(TurnWorld::worker).toList());
    }

    private static Worker worker(WorkerId id) {
        var facts = new EngineFacts(
                Set.of("m"),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        var registration = new Registration(
                id, url(id), Registration.DEFAULT_GROUP, facts, Map.of(), false, Registration.Origin.API);
        return new Worker(registration, EngineFacts.UNKNOWN, Worker.Health.UP, List.of());
    }

    static Answer bound(WorkerId worker, long version, Answer.How how) {
        return new Answer.Bound(new Binding(worker, 0, version), 0, how);
    }

    /** From now on only these workers are eligible. */
    TurnWorld only(WorkerId... workers) {
        fleet = fleet(workers);
        return this;
    }

    TurnWorld allowing(WorkerId... workers) {
        allowed = Set.of(workers);
        return this;
    }

    TurnWorld naming(WorkerId worker) {
        override = Optional.of(worker);
        return this;
    }

    /** From now on turns stay there. */
    TurnWorld on(Executor one) {
        loop = one;
        return this;
    }

    /** The prompt of the next turns is read when it is wanted. */
    TurnWorld prompt(TurnPrompt unread) {
        prompt = unread;
        return this;
    }

    /** What the engines told of their caches, beside what was predicted. */
    List<String> comparisons() {
        return comparisons;
    }

    /** The tokens that stream are booked. */
    TurnWorld countingOutput() {
        countOutput = true;
        return this;
    }

    /** The tokens that no engine tells are counted. */
    TurnWorld countingTokens() {
        countTokens = true;
        return this;
    }

    /** The tokens that turns have used, as they were told. */
    List<Long> spent() {
        return spent;
    }

    TurnWorld last() {
        last = true;
        return this;
    }

    /** From now on the session waits for its worker. */
    TurnWorld hard() {
        mode = SessionMode.HARD;
        return this;
    }

    /** A turn of the session starts. */
    Exchange turn() {
        var turn = new Turn(new TurnId(1, 1), TTL_MS);
        return begin(Optional.of(new Affinity(new SessionKey(1, 2), turn, last, mode)));
    }

    /** A request without a session starts. */
    Exchange request() {
        return begin(Optional.empty());
    }

    private Exchange begin(Optional<Affinity> session) {
        var ports = new TurnPorts(
                desk,
                sessions,
                upstream,
                new SeenWorkers(),
                () -> loop,
                new Meter(),
                new TurnPorts.Limits(retries(), Duration.ofMillis(250), countOutput));
        var demand = new Demand(Registration.DEFAULT_GROUP, "m", allowed);
        var request = new TurnRequest(demand, override, Optional.empty(), prompt, session, new Ticket(0));
        return TurnExchange.begin(
                system,
                ports,
                request,
                Dialect.OPENAI,
                base -> new UpstreamRequest(base, "POST", "/v1/completions", List.of(), ByteString.emptyByteString()));
    }

    private Retries retries() {
        return new Retries(retries, InstantSource.fixed(Instant.EPOCH));
    }

    /** From now on turns may try again so. */
    TurnWorld retrying(RetrySettings changed) {
        retries = changed;
        return this;
    }

    /** What was told of workers. */
    List<String> reports() {
        return reports;
    }

    List<WorkerId> suspects() {
        return suspects;
    }

    HttpResponse head(Exchange exchange) throws Exception {
        return exchange.response().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** The answer's body, read to its end. */
    String body(HttpResponse response) throws Exception {
        return response.entity()
                .getDataBytes()
                .runWith(Sink.fold(ByteString.emptyByteString(), ByteString::concat), system)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS)
                .utf8String();
    }

    /** Runs a turn to its end, and tells its decision and worker. */
    String runTurn() throws Exception {
        HttpResponse response = head(turn());
        body(response);
        return summary(response);
    }

    /** Status, decision and worker of an answer; of an error of the router's own its reason. */
    static String summary(HttpResponse response) {
        return response.status().intValue() + " "
                + header(response, "x-router-reason")
                        .orElseGet(() -> header(response, "x-router-decision").orElse("") + " "
                                + header(response, "x-router-worker").orElse(""));
    }

    static Optional<String> header(HttpResponse response, String name) {
        return response.getHeader(name).map(HttpHeader::value);
    }
}
