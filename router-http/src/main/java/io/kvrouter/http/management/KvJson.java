package io.kvrouter.http.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.kv.event.EventCounts;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.kv.fleet.WorkerKvStatus.RankStatus;
import io.kvrouter.kv.stream.SyncCounts;
import io.kvrouter.worker.KvEventEndpoints;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A worker's KV events as the management API reads and writes them. */
final class KvJson {
    static final String FIELD = "kv_events";

    private static final Set<String> KNOWN = Set.of("endpoints", "replay");

    private KvJson() {}

    /** Where events are published: {@code true} and {@code {}} for the default ports, {@code false} for nowhere. */
    static Optional<KvEventEndpoints> endpoints(ObjectNode worker) {
        JsonNode value = worker.path(FIELD);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (value.isBoolean()) {
            return Optional.of(value.asBoolean() ? KvEventEndpoints.DERIVED : KvEventEndpoints.OFF);
        }
        if (!value.isObject() || !value.propertyStream().allMatch(entry -> KNOWN.contains(entry.getKey()))) {
            throw refused(FIELD, "true, false, or an object of 'endpoints' and 'replay'");
        }
        return Optional.of(new KvEventEndpoints(true, texts(value, "endpoints"), texts(value, "replay")));
    }

    private static List<String> texts(JsonNode events, String name) {
        JsonNode value = events.path(name);
        List<String> texts = new ArrayList<>();
        if (value.isMissingNode()) {
            return texts;
        }
        if (!value.isArray()) {
            throw refused(FIELD + "." + name, "a list of texts, one for each rank");
        }
        for (JsonNode item : value) {
            if (!item.isTextual()) {
                throw refused(FIELD + "." + name, "a list of texts, one for each rank");
            }
            texts.add(item.asText());
        }
        return texts;
    }

    private static ApiException refused(String field, String expected) {
        return new ApiException(ApiError.badRequest("The field '" + field + "' must be " + expected + ".", field));
    }

    /** Adds where events are published, as it was registered. */
    static void put(ObjectNode worker, KvEventEndpoints events) {
        if (events.endpoints().isEmpty()) {
            worker.put(FIELD, events.published());
        } else {
            ObjectNode object = worker.putObject(FIELD);
            events.endpoints().forEach(object.putArray("endpoints")::add);
            events.replay().forEach(object.putArray("replay")::add);
        }
    }

    /** What this node knows of a worker's cache. */
    static ObjectNode of(WorkerKvStatus status) {
        ObjectNode json = Json.object();
        json.put("model", status.partition().model());
        json.put("block_size", status.blockSize());
        json.put("blocks", status.blocks());
        var ranks = json.putArray("ranks");
        status.ranks().forEach(rank -> ranks.add(of(rank)));
        return json;
    }

    private static ObjectNode of(RankStatus rank) {
        var stream = rank.stream();
        ObjectNode json = Json.object();
        json.put("rank", rank.source().rank());
        json.put("endpoint", rank.source().endpoint());
        rank.source().replay().ifPresent(replay -> json.put("replay", replay));
        json.put("state", rank.state().text());
        json.put("blocks", stream.blocks());
        json.put("last_sequence", stream.lastSequence());
        json.put("lag", stream.lag());
        json.set("events", of(stream.events()));
        json.set("sync", of(stream.sync()));
        return json;
    }

    private static ObjectNode of(EventCounts events) {
        ObjectNode json = Json.object();
        json.put("applied", events.applied());
        json.put("malformed", events.malformed());
        json.put("ignored", events.ignored());
        json.put("unknown_parents", events.unknownParents());
        json.put("wrong_block_size", events.wrongBlockSize());
        json.put("refused_blocks", events.refusedBlocks());
        json.put("unknown_blocks", events.unknownBlocks());
        return json;
    }

    private static ObjectNode of(SyncCounts sync) {
        ObjectNode json = Json.object();
        json.put("gaps", sync.gaps());
        json.put("clears", sync.clears());
        json.put("restarts", sync.restarts());
        json.put("failed_replays", sync.failedReplays());
        json.put("repeated", sync.repeated());
        return json;
    }
}
