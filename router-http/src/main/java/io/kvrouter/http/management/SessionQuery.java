package io.kvrouter.http.management;

import io.kvrouter.cluster.overview.BindingPages;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** The query string of a request for sessions. A parameter that is unknown or can't be used is refused, not passed over. */
final class SessionQuery {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private final Map<String, String> parameters;

    private SessionQuery(HttpRequest request, Set<String> known) {
        parameters = request.getUri().query().toMap();
        parameters.keySet().stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw bad(name, "is unknown here (expected: one of " + String.join(", ", known) + ")");
                });
    }

    /** {@code ?worker=&shard=&after=&limit=} */
    static BindingPages.Query page(HttpRequest request) {
        var query = new SessionQuery(request, Set.of("worker", "shard", "after", "limit"));
        Optional<Integer> shard = query.read("shard", text -> within(0, SessionKey.SHARDS - 1, text));
        return new BindingPages.Query(
                query.read("worker", WorkerId::new),
                shard.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                query.read("after", SessionKey::parse),
                query.read("limit", text -> within(1, MAX_LIMIT, text)).orElse(DEFAULT_LIMIT));
    }

    /** {@code ?worker=}, which must be said. */
    static WorkerId worker(HttpRequest request) {
        return new SessionQuery(request, Set.of("worker"))
                .read("worker", WorkerId::new)
                .orElseThrow(() -> bad("worker", "is missing: say whose sessions, or /router/sessions/{id}"));
    }

    /** {@code ?model=&group=&caller=&agent=} beside a session's id. */
    static SessionKey key(String id, HttpRequest request, Supplier<String> onlyModel) {
        var query = new SessionQuery(request, Set.of("model", "group", "caller", "agent"));
        String model = query.text("model").orElseGet(onlyModel);
        String group = query.text("group").orElse(Registration.DEFAULT_GROUP);
        String caller = query.text("caller").orElse("");
        try {
            return new SessionIdentity(
                            group, model, caller, id, query.text("agent").orElse(""))
                    .key();
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiError.badRequest(String.valueOf(e.getMessage()), "session_id"), e);
        }
    }

    /** A session by the key that a list shows. */
    static SessionKey key(String key, HttpRequest request) {
        var query = new SessionQuery(request, Set.of());
        return query.parsed("key", key, SessionKey::parse);
    }

    private Optional<String> text(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    private <T> Optional<T> read(String name, Function<String, T> parse) {
        return text(name).map(text -> parsed(name, text, parse));
    }

    private <T> T parsed(String name, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException e) {
            throw new ApiException(ApiError.badRequest(name + ": can't be read", name), e);
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiError.badRequest(name + ": " + e.getMessage(), name), e);
        }
    }

    private static int within(int least, int most, String text) {
        int value = Integer.parseInt(text);
        if (value < least || value > most) {
            throw new IllegalArgumentException(value + " (expected: " + least + " to " + most + ")");
        }
        return value;
    }

    private static ApiException bad(String name, String why) {
        return new ApiException(ApiError.badRequest("The parameter '" + name + "' " + why + ".", name));
    }
}
