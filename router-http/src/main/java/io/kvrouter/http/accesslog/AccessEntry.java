package io.kvrouter.http.accesslog;

import io.kvrouter.http.openai.Usage;
import io.kvrouter.http.turn.Decision;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.kv.Prompt;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.http.javadsl.model.AttributeKey;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * What is known of one request. It goes with the request, and whoever learns more says it here; what is never said stays
 * unknown. Safe for use by several threads.
 */
public final class AccessEntry {
    /** Of a request whose caller has no name. */
    static final String NO_CALLER = "-";

    private static final AttributeKey<AccessEntry> KEY = AttributeKey.create("kvrouter-access", AccessEntry.class);

    private final Instant time;
    private final long began = System.nanoTime();
    private final String method;
    private final String path;
    private volatile Optional<String> id = Optional.empty();
    private volatile String caller = NO_CALLER;
    private volatile OptionalLong admitted = OptionalLong.empty();
    private volatile OptionalLong resolved = OptionalLong.empty();
    private volatile Optional<TurnRequest> turn = Optional.empty();
    private volatile Usage usage = Usage.UNTOLD;

    AccessEntry(HttpRequest request, Instant time) {
        this.time = time;
        this.method = request.method().value();
        this.path = request.getUri().getPathString();
    }

    /** That of a request; empty without an access log. */
    public static Optional<AccessEntry> of(HttpRequest request) {
        return request.getAttribute(KEY);
    }

    /** The request with this entry. */
    HttpRequest on(HttpRequest request) {
        return request.addAttribute(KEY, this);
    }

    /**
     * Its headers were read.
     *
     * @param requestId by which its client, its worker and this log name it
     * @param sender the name of its caller's key; empty without one
     */
    public void from(String requestId, String sender) {
        id = Optional.of(requestId);
        caller = sender.isEmpty() ? NO_CALLER : sender;
    }

    /** It waits for room no more. */
    public void admitted() {
        admitted = OptionalLong.of(System.nanoTime() - began);
    }

    /** It was read. */
    public void turn(TurnRequest read) {
        turn = Optional.of(read);
    }

    /** Tells this entry too what is measured of its turn. */
    public TurnPorts.TurnMeter beside(TurnPorts.TurnMeter meter) {
        return new TurnPorts.TurnMeter() {
            @Override
            public void resolved(Decision decision, long nanos) {
                resolved = OptionalLong.of(nanos);
                meter.resolved(decision, nanos);
            }

            @Override
            public void compare(long predicted, long reported) {
                meter.compare(predicted, reported);
            }

            @Override
            public void used(Usage told) {
                usage = told;
                meter.used(told);
            }

            @Override
            public boolean countsTokens() {
                return meter.countsTokens();
            }

            @Override
            public void spends(long tokens) {
                meter.spends(tokens);
            }
        };
    }

    Instant time() {
        return time;
    }

    /** By {@link System#nanoTime()}. */
    long began() {
        return began;
    }

    Optional<String> id() {
        return id;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    String caller() {
        return caller;
    }

    /** From its begin, in nanoseconds. */
    OptionalLong queued() {
        return admitted;
    }

    /** How long its worker's decision took, in nanoseconds. */
    OptionalLong resolved() {
        return resolved;
    }

    Optional<String> model() {
        return turn.map(read -> read.demand().model()).filter(name -> !name.isEmpty());
    }

    Usage usage() {
        return usage;
    }

    /** By the engine's word, else by this router's count, if that was exact. */
    OptionalLong promptTokens() {
        if (usage.promptTokens().isPresent()) {
            return usage.promptTokens();
        }
        return turn.flatMap(read -> read.prompt().known())
                .filter(Prompt::exact)
                .map(prompt -> OptionalLong.of(prompt.tokens()))
                .orElse(OptionalLong.empty());
    }
}
