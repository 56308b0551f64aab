package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.Dialect;
import io.kvrouter.http.openai.Operation;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpMethod;
import org.apache.pekko.http.javadsl.model.HttpMethods;

/** The paths of the API and what is at each: the one table of them. docs/api.md says the same in words. */
final class Surface {
    private static final Map<String, Operation> OPERATIONS = Map.ofEntries(
            Map.entry("/v1/chat/completions", Operation.CHAT),
            Map.entry("/v1/completions", Operation.COMPLETION),
            Map.entry("/v1/responses", Operation.RESPONSE),
            Map.entry("/v1/messages", Operation.MESSAGE),
            Map.entry("/v1/embeddings", Operation.EMBEDDING),
            Map.entry("/v1/rerank", Operation.RERANK),
            Map.entry("/v1/score", Operation.SCORE),
            Map.entry("/v1/messages/count_tokens", Operation.ANTHROPIC_QUESTION),
            Map.entry("/tokenize", Operation.QUESTION),
            Map.entry("/detokenize", Operation.QUESTION));

    private static final String MODELS = "/v1/models";
    private static final String REST = "/v1/";
    private static final String ANTHROPIC = "/v1/messages/";
    private static final Set<HttpMethod> POST = Set.of(HttpMethods.POST);
    private static final Set<HttpMethod> ANY = Set.of(
            HttpMethods.GET,
            HttpMethods.HEAD,
            HttpMethods.POST,
            HttpMethods.PUT,
            HttpMethods.PATCH,
            HttpMethods.DELETE);

    /** They change one engine: whoever may do that knows which, and asks it. */
    private static final Set<String> OF_ONE_ENGINE = Set.of("load_lora_adapter", "unload_lora_adapter");

    private static final Pattern SLASH = Pattern.compile("/|\\\\|%2F|%5C", Pattern.CASE_INSENSITIVE);

    private Surface() {}

    /** What is at a path. */
    sealed interface At {
        /** In which its clients read errors. */
        default Dialect dialect() {
            return Dialect.OPENAI;
        }

        /** Whoever asks may know: probes of load balancers have no key. */
        default boolean open() {
            return false;
        }
    }

    /**
     * A worker's answer.
     *
     * @param path as the worker is asked
     * @param json its body must be JSON
     */
    record Forwarded(Operation operation, String path, Set<HttpMethod> methods, boolean json) implements At {
        @Override
        public Dialect dialect() {
            return operation.dialect();
        }
    }

    /** What the node answers by itself. */
    sealed interface Own extends At {}

    /** The list of models. */
    record Models() implements Own {}

    /** One model of the list. */
    record Model(String name) implements Own {}

    /** Whether the node takes requests. */
    record Health() implements Own {
        @Override
        public boolean open() {
            return true;
        }
    }

    /** Which router this is. */
    record Version() implements Own {
        @Override
        public boolean open() {
            return true;
        }
    }

    /** Nothing. */
    record Nothing() implements At {}

    /** @param path percent-encoded, as in the request; a slash at its end means nothing where the table has the path */
    static At at(String path) {
        String known = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        Operation operation = OPERATIONS.get(known);
        if (operation != null) {
            return new Forwarded(operation, known, POST, true);
        }
        return switch (known) {
            case MODELS -> new Models();
            case "/health" -> new Health();
            case "/version" -> new Version();
            default -> known.startsWith(MODELS + "/") ? model(known) : other(path);
        };
    }

    private static At model(String path) {
        String name = path.substring(MODELS.length() + 1).replace("+", "%2B");
        try {
            return new Model(URLDecoder.decode(name, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return new Nothing();
        }
    }

    /** A path with dots could mean another one to the worker; one that could be of one engine is none, however written. */
    private static At other(String path) {
        List<String> parts = parts(path);
        boolean ofOneEngine = !parts.isEmpty() && OF_ONE_ENGINE.contains(parts.getLast());
        return path.startsWith(REST) && !parts.contains("..") && !parts.contains(".") && !ofOneEngine
                ? new Forwarded(question(path), path, ANY, false)
                : new Nothing();
    }

    /** A path's parts as its worker may read them, or what stands before it: an encoded slash is one, two are one. */
    private static List<String> parts(String path) {
        return SLASH.splitAsStream(path).filter(part -> !part.isEmpty()).toList();
    }

    private static Operation question(String path) {
        return path.startsWith(ANTHROPIC) ? Operation.ANTHROPIC_QUESTION : Operation.QUESTION;
    }
}
