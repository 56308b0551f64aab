package io.kvrouter.http.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.access.Caller;
import io.kvrouter.worker.Worker;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The answer of {@code GET /v1/models}: what the workers that take requests serve, each name once, with what their
 * engines tell of it. Of a model on several workers the first of them (by id) tells; what it does not tell the others
 * do, and the smallest context length counts, because any of them may take a request. An alias is listed as its model.
 * A caller sees what it may ask for.
 */
public final class ModelList {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LENGTH = "max_model_len";

    private final ModelNames names;
    private final ModelCards cards;

    public ModelList(ModelNames names, ModelCards cards) {
        this.names = names;
        this.cards = cards;
    }

    /** The list for a caller, as JSON. */
    public String json(Caller caller) {
        var list = JSON.createObjectNode().put("object", "list");
        list.putArray("data").addAll(models(caller).values());
        return list.toString();
    }

    /** One model of a caller's list, as JSON. */
    public Optional<String> json(String name, Caller caller) {
        return Optional.ofNullable(models(caller).get(name)).map(ObjectNode::toString);
    }

    private Map<String, ObjectNode> models(Caller caller) {
        Map<String, ObjectNode> models = new TreeMap<>();
        for (Worker worker : names.fleet().workers()) {
            if (worker.available() && caller.mayReach(worker.registration().group())) {
                Stream.concat(worker.facts().models().stream(), worker.facts().adapters().stream())
                        .forEach(name -> models.merge(name, card(worker, name), ModelList::both));
            }
        }
        models.values().forEach(ModelList::complete);
        Map<String, ObjectNode> all = new TreeMap<>(models);
        names.aliases().forEach((alias, name) -> {
            ObjectNode card = models.get(name);
            if (card != null) {
                all.put(alias, card.deepCopy().put("id", alias));
            }
        });
        all.keySet().removeIf(name -> !caller.mayAsk(name, names.resolve(name)));
        return all;
    }

    private ObjectNode card(Worker worker, String name) {
        return cards.of(worker.registration().url(), name)
                .map(ObjectNode::deepCopy)
                .orElseGet(() -> JSON.createObjectNode().put("id", name).put("object", "model"));
    }

    /** With the fields that OpenAI's clients expect, where no engine has told them. */
    private static void complete(ObjectNode card) {
        if (!card.has("created")) {
            card.put("created", 0);
        }
        if (!card.has("owned_by")) {
            card.put("owned_by", "kv-router");
        }
    }

    private static ObjectNode both(ObjectNode first, ObjectNode other) {
        other.properties().forEach(field -> {
            if (!first.has(field.getKey())) {
                first.set(field.getKey(), field.getValue());
            }
        });
        if (other.path(LENGTH).isNumber()
                && other.path(LENGTH).asLong() < first.path(LENGTH).asLong()) {
            first.put(LENGTH, other.path(LENGTH).asLong());
        }
        return first;
    }
}
