package io.kvrouter.http.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.worker.EngineFacts;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads facts out of what engines answer. Anything unexpected is read as not known. */
final class EngineAnswers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MILLIS = 1_000;
    private static final Pattern START_TIME =
            Pattern.compile("(?m)^process_start_time_seconds(?:\\{[^}]*})? ([0-9.eE+]+)");
    private static final Pattern CACHE_CONFIG = Pattern.compile("(?m)^vllm:cache_config_info\\{([^}]*)}");
    private static final Pattern BLOCK_SIZE = Pattern.compile("(?:^|,)block_size=\"(\\d{1,9})\"");
    private static final Pattern KV_BLOCKS = Pattern.compile("(?:^|,)num_gpu_blocks=\"(\\d{1,18})\"");

    private EngineAnswers() {}

    /** Models and adapters of a {@code /v1/models} list; vLLM names the base model of an adapter as its parent. */
    static EngineFacts models(String json) {
        Set<String> models = new HashSet<>();
        Set<String> adapters = new HashSet<>();
        try {
            for (JsonNode model : JSON.readTree(json).path("data")) {
                boolean adapter = model.path("parent").isTextual();
                if (model.path("id").isTextual()) {
                    (adapter ? adapters : models).add(model.path("id").asText());
                }
            }
        } catch (JsonProcessingException e) {
            return EngineFacts.UNKNOWN;
        }
        return new EngineFacts(
                models,
                adapters,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Start time, block size and cache size from vLLM's Prometheus metrics. */
    static EngineFacts metrics(String exposition) {
        String cache = first(CACHE_CONFIG, exposition).orElse("");
        return new EngineFacts(
                Set.of(),
                Set.of(),
                first(BLOCK_SIZE, cache).map(Integer::valueOf).filter(size -> size > 0),
                first(KV_BLOCKS, cache).map(Long::valueOf).filter(blocks -> blocks > 0),
                Optional.empty(),
                first(START_TIME, exposition).flatMap(EngineAnswers::millis),
                Optional.empty());
    }

    private static Optional<Long> millis(String seconds) {
        try {
            return Optional.of(Math.round(Double.parseDouble(seconds) * MILLIS));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
