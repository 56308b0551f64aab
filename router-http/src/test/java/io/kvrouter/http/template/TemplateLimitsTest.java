package io.kvrouter.http.template;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates come from outside: none may take a node's memory or time. */
class TemplateLimitsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ 'x' * 1000000000 }}",
                "{{ [1] * 1000000000 }}",
                "{{ '%1000000000d' % 1 }}",
                "{{ 'x'.center(1000000000) }}",
                "{{ '{:100000000}'.format(1) }}",
                "{{ 'a'|indent(1000000000) }}",
                "{{ 10 ** 10000000 }}",
                "{% set ns = namespace(x='xxxxxxxx') %}{% for i in range(100) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
                "{% for i in range(100000) %}{{ 'x' * 10000 }}{% endfor %}",
                "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
            })
    void stopsWhatGrowsOrRunsTooLong(String template) {
        assertStops(template, "LimitError");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
                "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
                "{% set ns = namespace() %}{% set ns.a = [ns] %}{{ ns }}",
            })
    void stopsWhatCallsItself(String template) {
        assertStops(template, "RecursionError");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "not ", "-", "{'a':"})
    void refusesWhatIsNestedTooDeeply(String opening) {
        assertStops("{{ " + opening.repeat(100_000), "TemplateSyntaxError");
    }

    private static void assertStops(String template, String kind) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> ChatTemplate.compile(template, Map.of())
                        .renderVariables(JsonNodeFactory.instance.objectNode(), Clock.systemUTC()))
                .extracting(TemplateException::kind)
                .isEqualTo(kind);
    }
}
