package io.kvrouter.http.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.worker.EngineFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineAnswersTest {
    @Test
    void vllmNamesTheBaseModelAsTheParentOfItsAdapters() {
        var facts = EngineAnswers.models("""
                {"object": "list", "data": [
                  {"id": "org/base", "object": "model", "created": 1, "owned_by": "vllm", "root": "org/base",
                   "parent": null, "max_model_len": 32768, "permission": [{"id": "modelperm-1", "object": "x"}]},
                  {"id": "tuned", "object": "model", "root": "/adapters/tuned", "parent": "org/base"}]}""");

        assertThat(facts.models()).containsExactly("org/base");
        assertThat(facts.adapters()).containsExactly("tuned");
    }

    @Test
    void sglangNamesNoParent() {
        var facts = EngineAnswers.models("""
                {"object":"list","data":[{"id":"org/m","object":"model","owned_by":"sglang","root":"org/m"}]}""");

        assertThat(facts.models()).containsExactly("org/m");
    }

    @Test
    void llamaCppListsItsModelsTwice() {
        var facts = EngineAnswers.models("""
                {"models":[{"name":"m.gguf","type":"model"}],"object":"list",
                 "data":[{"id":"m.gguf","aliases":["m"],"object":"model","meta":{"n_ctx_train":4096}}]}""");

        assertThat(facts.models()).containsExactly("m.gguf");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "null", "7", "[]", "{}", "{\"data\":7}", "{\"data\":[7,null,{\"id\":3}]}", "<html>", "{"})
    void whatIsNoListNamesNothing(String body) {
        assertThat(EngineAnswers.models(body)).isEqualTo(EngineFacts.UNKNOWN);
    }

    @Test
    void vllmTellsItsCacheInItsMetrics() {
        var facts = EngineAnswers.metrics("""
                # TYPE process_start_time_seconds gauge
                process_start_time_seconds 1.76435e+09
                # TYPE vllm:cache_config_info gauge
                vllm:cache_config_info{mamba_block_size="8",block_size="32",num_gpu_blocks="27000",\
                num_gpu_blocks_override="None",engine="0"} 1.0
                """);

        assertThat(facts.blockSize()).hasValue(32);
        assertThat(facts.kvBlocks()).hasValue(27_000L);
        assertThat(facts.incarnation()).hasValue(1_764_350_000_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sglang:num_running_reqs{model=\"m\"} 3",
                "# HELP process_start_time_seconds 12",
                "process_start_time_seconds ....",
                "vllm:cache_config_info{block_size=\"None\",num_gpu_blocks=\"0\"} 1",
                "vllm:cache_config_info{block_size=\"99999999999999999999\"} 1"
            })
    void whatIsNotThereStaysUnknown(String exposition) {
        assertThat(EngineAnswers.metrics(exposition)).isEqualTo(EngineFacts.UNKNOWN);
    }
}
