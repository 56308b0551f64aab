package io.kvrouter.http.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatTemplateFilesTest {
    private static final String PLAIN = "{\"messages\": []}";
    private static final String WITH_TOOLS = "{\"messages\": [], \"tools\": [{}]}";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void findsNothingWithoutATemplate() throws IOException {
        write("tokenizer_config.json", "{\"bos_token\": \"<s>\"}");

        assertThat(ChatTemplateFiles.read(directory)).isEmpty();
    }

    @Test
    void readsTheTemplateAndSpecialTokensOfTheConfig() throws IOException {
        write("tokenizer_config.json", """
                {"chat_template": "{{ bos_token }}|{{ eos_token }}|{{ unk_token is defined }}|{{ add_bos_token is defined }}",
                 "bos_token": "<s>", "eos_token": {"content": "</s>", "special": true}, "unk_token": null, "add_bos_token": true}
                """);

        assertThat(render(PLAIN)).isEqualTo("<s>|</s>|False|False");
    }

    @Test
    void readsSpecialTokensOfTheMap() throws IOException {
        write(
                "tokenizer_config.json",
                "{\"chat_template\": \"{{ bos_token }}{{ eos_token }}\", \"bos_token\": \"<b>\"}");
        write("special_tokens_map.json", "{\"bos_token\": \"<s>\", \"eos_token\": {\"content\": \"</s>\"}}");

        assertThat(render(PLAIN)).isEqualTo("<b></s>");
    }

    @Test
    void takesTheTemplateForToolsWhenThereAreAny() throws IOException {
        write("tokenizer_config.json", """
                {"chat_template": [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]}
                """);

        assertThat(render(PLAIN)).isEqualTo("plain");
        assertThat(render(WITH_TOOLS)).isEqualTo("tools");
    }

    @Test
    void prefersTheFileToTheConfig() throws IOException {
        write("tokenizer_config.json", "{\"chat_template\": \"config\"}");
        write("chat_template.jinja", "file");

        assertThat(render(WITH_TOOLS)).isEqualTo("file");
    }

    @Test
    void refusesATemplateThatIsNone() throws IOException {
        write("chat_template.jinja", "{% if %}");

        assertThatExceptionOfType(TemplateException.class).isThrownBy(() -> ChatTemplateFiles.read(directory));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private String render(String request) throws IOException {
        return ChatTemplateFiles.read(directory)
                .orElseThrow()
                .render(new ObjectMapper().readTree(request), Clock.systemUTC())
                .text();
    }
}
