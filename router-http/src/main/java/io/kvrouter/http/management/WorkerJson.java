package io.kvrouter.http.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Registration.Origin;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerUrl;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Workers as the management API reads and writes them. What it does not know it refuses by name. */
final class WorkerJson {
    private static final Set<String> POSTED = Set.of(
            "url",
            "id",
            "group",
            "models",
            "adapters",
            "block_size",
            "kv_blocks",
            "ranks",
            "incarnation",
            "labels",
            KvJson.FIELD);
    private static final Set<String> PATCHED = Set.of("draining", "group", "labels");

    private static final long MAX_RANKS = 1_024;

    private WorkerJson() {}

    /** The body of a POST. */
    static Registration registration(ObjectNode json) {
        requireKnown(json, POSTED);
        try {
            var url = WorkerUrl.normalise(text(json, "url")
                    .orElseThrow(() -> new ApiException(ApiError.badRequest("The field 'url' is missing.", "url"))));
            return new Registration(
                    text(json, "id").map(WorkerId::new).orElseGet(() -> WorkerId.ofUrl(url)),
                    url,
                    text(json, "group").orElse(Registration.DEFAULT_GROUP),
                    facts(json),
                    labels(json).orElse(Map.of()),
                    false,
                    Origin.API);
        } catch (IllegalArgumentException e) { // its message names the field
            throw new ApiException(ApiError.badRequest(String.valueOf(e.getMessage())), e);
        }
    }

    private static EngineFacts facts(ObjectNode json) {
        return new EngineFacts(
                texts(json, "models"),
                texts(json, "adapters"),
                number(json, "block_size", Integer.MAX_VALUE).map(Math::toIntExact),
                number(json, "kv_blocks", Long.MAX_VALUE),
                number(json, "ranks", MAX_RANKS).map(Math::toIntExact),
                number(json, "incarnation", Long.MAX_VALUE),
                KvJson.endpoints(json));
    }

    /** The change that the body of a PATCH asks for: read and checked here, so that to apply it can't fail. */
    static UnaryOperator<Registration> change(ObjectNode json) {
        requireKnown(json, PATCHED);
        Optional<Boolean> draining = json.has("draining") ? Optional.of(flag(json, "draining")) : Optional.empty();
        Optional<String> group = text(json, "group");
        Optional<Map<String, String>> labels = labels(json);
        return before -> {
            Registration drained = draining.map(before::withDraining).orElse(before);
            Registration moved = group.map(drained::withGroup).orElse(drained);
            return labels.map(moved::withLabels).orElse(moved);
        };
    }

    private static void requireKnown(ObjectNode json, Set<String> known) {
        for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw new ApiException(ApiError.badRequest("There is no field '" + name + "' here.", name));
            }
        }
    }

    private static Optional<String> text(ObjectNode json, String name) {
        JsonNode value = json.path(name);
        require(value.isMissingNode() || (value.isTextual() && !value.asText().isBlank()), name, "a text");
        return value.isMissingNode() ? Optional.empty() : Optional.of(value.asText());
    }

    private static boolean flag(ObjectNode json, String name) {
        require(json.path(name).isBoolean(), name, "true or false");
        return json.path(name).asBoolean();
    }

    private static Optional<Long> number(ObjectNode json, String name, long most) {
        JsonNode value = json.path(name);
        boolean whole = value.isIntegralNumber() && value.canConvertToLong();
        boolean fits = whole && value.asLong() > 0 && value.asLong() <= most;
        require(value.isMissingNode() || fits, name, "a whole number from 1 to " + most);
        return value.isMissingNode() ? Optional.empty() : Optional.of(value.asLong());
    }

    private static Set<String> texts(ObjectNode json, String name) {
        JsonNode value = json.path(name);
        require(value.isMissingNode() || value.isArray(), name, "a list of texts");
        Set<String> texts = new HashSet<>();
        for (JsonNode item : value) {
            require(item.isTextual(), name, "a list of texts");
            texts.add(item.asText());
        }
        return texts;
    }

    private static Optional<Map<String, String>> labels(ObjectNode json) {
        JsonNode value = json.path("labels");
        require(value.isMissingNode() || value.isObject(), "labels", "an object of texts");
        Map<String, String> labels = new TreeMap<>();
        value.properties().forEach(label -> {
            require(label.getValue().isTextual(), "labels", "an object of texts");
            labels.put(label.getKey(), label.getValue().asText());
        });
        return value.isMissingNode() ? Optional.empty() : Optional.of(labels);
    }

    private static void require(boolean holds, String field, String expected) {
        if (!holds) {
            throw new ApiException(ApiError.badRequest("The field '" + field + "' must be " + expected + ".", field));
        }
    }

    /** A worker as it is answered: what is not known is left out. */
    static ObjectNode of(Worker worker, Optional<WorkerKvStatus> cache) {
        Registration registration = worker.registration();
        EngineFacts facts = worker.facts();
        ObjectNode json = Json.object();
        json.put("id", worker.id().value());
        json.put("url", registration.url().toString());
        json.put("group", registration.group());
        json.set("models", Json.texts(facts.models()));
        json.set("adapters", Json.texts(facts.adapters()));
        facts.blockSize().ifPresent(size -> json.put("block_size", size));
        facts.kvBlocks().ifPresent(blocks -> json.put("kv_blocks", blocks));
        json.put("ranks", worker.ranks());
        registration.labels().forEach(json.putObject("labels")::put);
        json.put("draining", registration.draining());
        json.put("state", worker.state());
        if (worker.limited()) {
            json.put("allowance", worker.allowance());
        }
        facts.incarnation().ifPresent(incarnation -> json.put("incarnation", incarnation));
        facts.kvEvents().ifPresent(events -> KvJson.put(json, events));
        cache.ifPresent(status -> json.set("kv", KvJson.of(status)));
        json.set(
                "warnings",
                Json.texts(Stream.concat(
                                worker.warnings().stream(),
                                cache.stream().flatMap(status -> status.warnings().stream()))
                        .toList()));
        json.put("origin", registration.origin().name().toLowerCase(Locale.ROOT));
        return json;
    }
}
