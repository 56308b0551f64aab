package io.kvrouter.http.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.worker.Fleet;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What each engine tells of its models at {@code /v1/models}, as it told it last. Routing has the names from the fleet;
 * this is what only clients read. Safe for use by several threads.
 */
public final class ModelCards {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<URI, Map<String, ObjectNode>> engines = new ConcurrentHashMap<>();

    /** An engine's answer; what is no list of models changes nothing. */
    public void told(URI engine, String list) {
        try {
            Map<String, ObjectNode> cards = new HashMap<>();
            for (JsonNode model : JSON.readTree(list).path("data")) {
                if (model instanceof ObjectNode card && card.path("id").isTextual()) {
                    cards.put(card.path("id").asText(), card);
                }
            }
            if (!cards.isEmpty()) {
                engines.put(engine, Map.copyOf(cards));
            }
        } catch (JsonProcessingException e) {
            // Not the engine's list: what it said before stands.
        }
    }

    /** Forgets all engines but those of these workers. */
    public void keep(Fleet fleet) {
        engines.keySet()
                .retainAll(fleet.workers().stream()
                        .map(worker -> worker.registration().url())
                        .collect(Collectors.toSet()));
    }

    /** What an engine tells of a model. The object must not be changed. */
    Optional<ObjectNode> of(URI engine, String model) {
        return Optional.ofNullable(engines.getOrDefault(engine, Map.of()).get(model));
    }
}
