package io.kvrouter.http.tokens.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** The requests that a tokenizer and a template are compared by, each under a name that a warning can tell. */
final class CheckSamples {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String ASKED = "{'role':'user','content':'What is the weather in Oslo?'}";
    private static final String SYSTEM = "{'role':'system','content':'You are a helpful assistant.'}";

    private static final String TOOLS = "'tools':[{'type':'function','function':{'name':'get_weather',"
            + "'description':'Current weather of a city \\u2014 \\u00b0C & wind <km/h>','parameters':{'type':'object',"
            + "'properties':{'city':{'type':'string','description':'Name of the city'},"
            + "'unit':{'type':'string','enum':['celsius','fahrenheit']},'days':{'type':'integer','default':1}},"
            + "'required':['city']}}}]";

    private static final String CALLED = "{'role':'assistant','content':'','tool_calls':[{'id':'call123ab',"
            + "'type':'function','function':{'name':'get_weather','arguments':"
            + "'{\\'city\\': \\'Troms\\u00f8\\', \\'days\\': 2}'}}]},"
            + "{'role':'tool','tool_call_id':'call123ab','name':'get_weather','content':'{\\'temp\\': -3.5}'}";

    private static final String MIXED = "Stra\\u00dfe \\u0441\\u043b\\u043e\\u0432\\u043e \\u6f22\\u5b57 \\ud83d\\udc4d"
            + " it's 12345.67\\n\\n\\tfor (i = 0; i < n; i++) {}\\n    e\\u0301 \\u3000 <b>&amp;</b>";

    private CheckSamples() {}

    /** Chats and texts, by name. */
    static Map<String, ObjectNode> of(String model) {
        Map<String, ObjectNode> samples = new LinkedHashMap<>();
        chat(samples, model, "chat: one question", ASKED, "");
        chat(samples, model, "chat: with a system message", SYSTEM + "," + ASKED, "");
        chat(samples, model, "chat: a second turn", ASKED + ",{'role':'assistant','content':'Rain.'}," + ASKED, "");
        chat(samples, model, "chat: of many scripts", "{'role':'user','content':'" + MIXED + "'}", "");
        chat(
                samples,
                model,
                "chat: content in parts",
                "{'role':'user','content':[{'type':'text','text':'One'},{'type':'text','text':' two'}]}",
                "");
        chat(samples, model, "chat: without generation prompt", ASKED, ",'add_generation_prompt':false");
        chat(samples, model, "chat: tools offered", ASKED, "," + TOOLS);
        chat(samples, model, "chat: a tool called", ASKED + "," + CALLED, "," + TOOLS);
        text(samples, model, "text: plain", "'prompt':'The quick brown fox jumps over the lazy dog.'");
        text(samples, model, "text: of many scripts", "'prompt':'" + MIXED + "'");
        text(samples, model, "text: without special tokens", "'prompt':'Hello','add_special_tokens':false");
        text(samples, model, "text: blanks", "'prompt':'  a   b\\n\\n\\n   c\\t\\t d      '");
        return samples;
    }

    private static void chat(Map<String, ObjectNode> samples, String model, String name, String messages, String more) {
        text(samples, model, name, "'messages':[" + messages + "]" + more);
    }

    private static void text(Map<String, ObjectNode> samples, String model, String name, String fields) {
        try {
            ObjectNode sample = (ObjectNode) JSON.readTree("{" + quoted(fields) + "}");
            samples.put(name, sample.put("model", model));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(name, e);
        }
    }

    /** Quotes are written as apostrophes here, those inside strings with a backslash. */
    private static String quoted(String fields) {
        return fields.replace("it's", "it\u2019s").replace('\'', '"').replace('\u2019', '\'');
    }
}
