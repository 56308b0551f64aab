package io.kvrouter.http.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.settings.SettingException;
import io.kvrouter.http.settings.TokenSettings;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokenizer.SmallTokenizer;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelDirectoryTest {
    private static final Demand DEMAND = new Demand("default", "m", Set.of());
    private static final String TEMPLATE = "{% for message in messages %}<|im_start|>{{ message.role }}\n"
            + "{{ message.content }}<|im_end|>\n{% endfor %}"
            + "{% if messages[0].role == 'tool' %}{{ raise_exception('no ' + messages[0].content) }}{% endif %}"
            + "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

    private final SmallTokenizer small = SmallTokenizer.likeQwen();

    @TempDir
    private Path directory = Path.of("");

    private LoadedModels load() {
        var settings = new TokenSettings(Map.of("m", directory), 1 << 20, 1, 1, false, Duration.ofSeconds(1));
        return LoadedModels.load(settings, new SegmentCache(1 << 20), Clock.systemUTC(), () -> Fleet.EMPTY);
    }

    private static JsonNode chat(String role, String content) throws IOException {
        return new ObjectMapper()
                .readTree("{\"messages\":[{\"role\":\"" + role + "\",\"content\":\"" + content + "\"}]}");
    }

    @Test
    void aChatIsRenderedAndItsSpecialTokensFound() throws Exception {
        small.write(directory);
        Files.writeString(directory.resolve("chat_template.jinja"), TEMPLATE);

        try (var models = load()) {
            var prompt = models.of(DEMAND, "").orElseThrow().of(chat("user", "hello"));

            assertThat(prompt.tokens()).startsWith(small.id("<|im_start|>")).contains(small.id("<|im_end|>"));
            assertThat(prompt.keyed()).isEqualTo(prompt.tokens().length);
        }
    }

    @Test
    void whatTheTemplateRefusesHasNoTokensAndIsNotQuoted() throws Exception {
        small.write(directory);
        Files.writeString(directory.resolve("chat_template.jinja"), TEMPLATE);

        try (var models = load()) {
            var model = models.get("m").orElseThrow();

            assertThatThrownBy(() -> model.of(chat("tool", "secret")))
                    .isInstanceOf(UntokenizableException.class)
                    .hasMessage("the chat template refuses the request")
                    .hasNoCause();
        }
    }

    @Test
    void withoutATemplateOnlyTextsHaveTokens() throws Exception {
        small.write(directory);

        try (var models = load()) {
            var model = models.get("m").orElseThrow();

            assertThat(model.describe()).endsWith("; no chat template");
            assertThat(model.of(new ObjectMapper().readTree("{\"prompt\":\"hello\"}"))
                            .tokens())
                    .isNotEmpty();
            assertThatThrownBy(() -> model.of(chat("user", "hello"))).isInstanceOf(UntokenizableException.class);
        }
    }

    @Test
    void aTemplateThatCantBeReadIsToldWithItsLine() throws IOException {
        small.write(directory);
        Files.writeString(directory.resolve("chat_template.jinja"), "\n{% if %}");

        try (var models = load()) {
            assertThat(models.get("m").orElseThrow().describe()).contains("a chat template that can't be read, line 2");
        }
    }

    @Test
    void aModelThatIsDistrustedIsLeftToTheEngines() throws IOException {
        small.write(directory);

        try (var models = load()) {
            models.distrust("m");
            assertThat(models.of(DEMAND, "")).isEmpty();

            models.trust("m");
            assertThat(models.of(DEMAND, "")).isPresent();
        }
    }

    @Test
    void anEmptyDirectoryIsToldByItsSetting() {
        assertThatThrownBy(this::load)
                .isInstanceOf(SettingException.class)
                .hasMessage("kvrouter.models.\"m\".directory: " + directory.resolve("tokenizer.json") + ": missing");
    }
}
