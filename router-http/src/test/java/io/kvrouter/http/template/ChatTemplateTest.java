package io.kvrouter.http.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.template.ChatTemplate.Rendered;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ChatTemplateTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2025-07-10T12:00:00Z"), ZoneOffset.UTC);
    private static final String TEXT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
            + "{% if add_generation_prompt %}<assistant>{% endif %}";
    private static final String PARTS = "{% for m in messages %}<{{ m.role }}>{% for p in m['content'] %}"
            + "{% if p.type == 'text' %}{{ p.text }}{% else %}[{{ p.type }}]{% endif %}{% endfor %}{% endfor %}";

    @Nested
    class OfATemplateThatWantsTexts {
        @Test
        void joinsTheTextsOfParts() throws JsonProcessingException {
            var rendered = render(TEXT, """
                    {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]}
                    """);

            assertThat(rendered).isEqualTo(all("<user>a\nb<assistant>"));
        }

        @Test
        void hasAnEmptyTextWhereThereIsNoContent() throws JsonProcessingException {
            var rendered =
                    render(TEXT, "{\"messages\": [{\"role\": \"assistant\", \"content\": null}, {\"role\": \"x\"}]}");

            assertThat(rendered).isEqualTo(all("<assistant><x><assistant>"));
        }

        @Test
        void keysUpToTheMessageThatHasAnImage() throws JsonProcessingException {
            var rendered = render(TEXT, """
                    {"messages": [
                      {"role": "system", "content": "s"},
                      {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "u"}}]}]}
                    """);

            assertThat(rendered).isEqualTo(new Rendered("<system>s<user>a<assistant>", "<system>s<user>".length()));
        }
    }

    @Nested
    class OfATemplateThatLoopsOverContent {
        @Test
        void makesAPartOfAText() throws JsonProcessingException {
            var rendered = render(PARTS, "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}]}");

            assertThat(rendered).isEqualTo(all("<user>a"));
        }

        @Test
        void keysUpToTheImage() throws JsonProcessingException {
            var rendered = render(PARTS, """
                    {"messages": [{"role": "user", "content": [
                      {"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "u"}}, {"type": "text", "text": "b"}]}]}
                    """);

            assertThat(rendered).isEqualTo(new Rendered("<user>a[image]b", "<user>a".length()));
        }

        @Test
        void keysNothingBehindWhatTheImageChangedBeforeIt() throws JsonProcessingException {
            String counts = "{% set n = messages[0].content | selectattr('type', 'ne', 'text') | list | length %}"
                    + "start {{ n }} " + PARTS;
            var rendered = render(
                    counts, "{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"input_audio\"}]}]}");

            assertThat(rendered).isEqualTo(new Rendered("start 1 <user>[audio]", "start ".length()));
        }

        @Test
        void joinsTheTextsOfAToolsResult() throws JsonProcessingException {
            String tool =
                    "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% endif %}{% endfor %}" + PARTS;
            var rendered = render(
                    tool,
                    "{\"messages\": [{\"role\": \"tool\", \"content\": [{\"type\": \"text\", \"text\": \"r\"}]}]}");

            assertThat(rendered.text()).startsWith("r<tool>");
        }
    }

    @Test
    void parsesTheArgumentsOfToolCalls() throws JsonProcessingException {
        var rendered =
                render("{% for c in messages[0].tool_calls %}{{ c.function.arguments | tojson }}{% endfor %}", """
                {"messages": [{"role": "assistant", "tool_calls": [
                  {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\\"a\\":1.0}"}},
                  {"id": "2", "type": "function", "function": {"name": "f", "arguments": ""}}]}]}
                """);

        assertThat(rendered).isEqualTo(all("{\"a\": 1.0}{}"));
    }

    @Test
    void leavesOutAnEmptyListOfToolCalls() throws JsonProcessingException {
        var rendered = render(
                "{{ messages[0].tool_calls is defined }}",
                "{\"messages\": [{\"role\": \"assistant\", \"tool_calls\": []}]}");

        assertThat(rendered).isEqualTo(all("False"));
    }

    @Test
    void passesToolsAsTheyAreAndNoneWithout() throws JsonProcessingException {
        String template = "{% if tools is none %}none{% else %}{{ tools | tojson }}{% endif %}";

        assertThat(render(template, "{\"messages\": []}").text()).isEqualTo("none");
        assertThat(render(template, "{\"messages\": [], \"tools\": [{\"b\": 1, \"a\": \"é\"}]}")
                        .text())
                .isEqualTo("[{\"b\": 1, \"a\": \"é\"}]");
    }

    @Test
    void passesTheVariablesOfARequest() throws JsonProcessingException {
        var rendered = render(
                "{{ enable_thinking }} {{ documents[0].t }} {{ add_generation_prompt }} {{ bos_token }} {{ eos_token is defined }}",
                """
                {"messages": [], "add_generation_prompt": false, "documents": [{"t": 1}],
                 "chat_template_kwargs": {"enable_thinking": false}}
                """);

        assertThat(rendered).isEqualTo(all("False 1 False <s> False"));
    }

    @Test
    void endsWithTheLastMessageThatIsToBeContinued() throws JsonProcessingException {
        var rendered = render("{% for m in messages %}{{ m.content | trim }}</s>{% endfor %}", """
                {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "once upon "}],
                 "continue_final_message": true, "add_generation_prompt": false}
                """);

        assertThat(rendered).isEqualTo(all("q</s>once upon"));
    }

    @Test
    void tellsTheDateOfItsClock() throws JsonProcessingException {
        assertThat(render("{{ strftime_now('%-d %B %Y') }}", "{\"messages\": []}")
                        .text())
                .isEqualTo("10 July 2025");
    }

    @Test
    void keepsTheMessageAndTheLineOfWhatATemplateRaises() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(
                        () -> render("a\n{% if true %}{{ raise_exception('Roles must alternate') }}{% endif %}", "{}"))
                .withMessage("Roles must alternate")
                .matches(e -> e.line() == 2 && e.kind().equals("TemplateError"));
    }

    @Test
    void saysWhereATemplateIsNone() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> ChatTemplate.compile("a\nb\n{% if %}", Map.of()))
                .matches(e -> e.line() == 3 && e.kind().equals("TemplateSyntaxError"));
    }

    private static Rendered all(String text) {
        return new Rendered(text, text.length());
    }

    private static Rendered render(String template, String request) throws JsonProcessingException {
        JsonNode body = new ObjectMapper().readTree(request);
        return ChatTemplate.compile(template, Map.of("bos_token", "<s>")).render(body, NOON);
    }
}
