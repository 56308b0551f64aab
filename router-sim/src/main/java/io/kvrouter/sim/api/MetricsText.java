package io.kvrouter.sim.api;

import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.engine.EngineStats;
import java.util.Locale;

/** The engine's metrics under vLLM's names, in the Prometheus text format. */
public final class MetricsText {
    private final StringBuilder text = new StringBuilder();
    private final String labels;

    private MetricsText(String model) {
        labels = "{engine=\"0\",model_name=\"" + model.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}";
    }

    /** Of all the ranks together; each has these settings. */
    public static String of(String model, double startedAtS, EngineSettings settings, int ranks, EngineStats stats) {
        var metrics = new MetricsText(model);
        metrics.engine(settings, ranks, stats);
        metrics.family("process_start_time_seconds", "gauge");
        metrics.text
                .append("process_start_time_seconds ")
                .append(decimal(startedAtS))
                .append('\n');
        return metrics.text.toString();
    }

    private void engine(EngineSettings settings, int ranks, EngineStats stats) {
        var totals = stats.totals();
        add("vllm:num_requests_running", "gauge", stats.running());
        add("vllm:num_requests_waiting", "gauge", stats.waiting());
        double use = stats.activeBlocks() / ((double) settings.kvBlocks() * ranks);
        add("vllm:kv_cache_usage_perc", "gauge", use);
        add("vllm:gpu_cache_usage_perc", "gauge", use);
        count("vllm:prefix_cache_queries_total", totals.queriedTokens());
        count("vllm:prefix_cache_hits_total", totals.hitTokens());
        count("vllm:num_preemptions_total", totals.preemptions());
        count("vllm:prompt_tokens_total", totals.queriedTokens());
        count("vllm:generation_tokens_total", totals.generatedTokens());
        family("vllm:cache_config_info", "gauge");
        text.append("vllm:cache_config_info{block_size=\"")
                .append(settings.blockSize())
                .append("\",enable_prefix_caching=\"True\",engine=\"0\",num_gpu_blocks=\"")
                .append(settings.kvBlocks())
                .append("\"} 1.0\n");
    }

    private void add(String name, String type, double value) {
        family(name, type);
        text.append(name).append(labels).append(' ').append(decimal(value)).append('\n');
    }

    private void count(String name, long value) {
        add(name, "counter", (double) value);
    }

    private void family(String name, String type) {
        text.append("# HELP ").append(name).append(" Of a simulated engine.\n");
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }
}
