package io.kvrouter.bench.prompt;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.tokenizer.OrdinaryText;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * An agent's conversation: tools, a system prompt and about a hundred messages, some of which call tools and tell what
 * came of it. Prose, code, numbers and words that no dictionary has, all of it made from the seed, so that no two
 * conversations have more in common than the tools.
 */
final class LongChat {
    /** As a model that is not sharded by name: the simulated worker's default. */
    static final String MODEL = "sim-model";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TOOLS = 20;
    private static final int MESSAGES = 100;
    private static final int CALL_EVERY = 4;
    private static final int SHARE_OF_ODD_WORDS = 10;
    private static final int LONGEST_ODD_WORD = 12;
    private static final int LETTERS = 26;

    private final SplittableRandom random;
    private final int laterCharacters;
    private final ObjectNode body = JSON.createObjectNode();
    private final ArrayNode messages = JSON.createArrayNode();

    /**
     * @param characters of all messages of the first turn
     * @param laterCharacters that a later turn adds
     */
    LongChat(long seed, int characters, int laterCharacters) {
        this.random = new SplittableRandom(seed);
        this.laterCharacters = laterCharacters;
        body.put("model", MODEL).put("max_tokens", 1);
        body.set("tools", tools());
        body.set("messages", messages);
        int each = Math.max(1, characters / MESSAGES);
        say("system", each);
        for (int i = 1; i < MESSAGES - 1; i += 2) {
            if (i % CALL_EVERY == 1) {
                say("user", each);
                say("assistant", each);
            } else {
                callTool(i);
                result(i, 2 * each);
            }
        }
        say("user", each);
    }

    private static ArrayNode tools() {
        ArrayNode tools = JSON.createArrayNode();
        for (int i = 0; i < TOOLS; i++) {
            ObjectNode function = tools.addObject().put("type", "function").putObject("function");
            function.put("name", "tool_" + i).put("description", OrdinaryText.of(i, 200));
            ObjectNode parameters = function.putObject("parameters").put("type", "object");
            parameters.putObject("properties").putObject("path").put("type", "string");
            parameters.putArray("required").add("path");
        }
        return tools;
    }

    private void say(String role, int characters) {
        messages.addObject().put("role", role).put("content", text(random, characters));
    }

    private void callTool(int number) {
        ObjectNode message = messages.addObject().put("role", "assistant").put("content", "");
        ObjectNode call = message.putArray("tool_calls")
                .addObject()
                .put("id", "call_" + number)
                .put("type", "function");
        call.putObject("function")
                .put("name", "tool_" + random.nextInt(TOOLS))
                .put("arguments", "{\"path\": \"src/" + oddWord(random) + ".java\"}");
    }

    private void result(int number, int characters) {
        messages.addObject()
                .put("role", "tool")
                .put("tool_call_id", "call_" + number)
                .put("content", text(random, characters));
    }

    /** Such text as messages are made of. */
    static String text(SplittableRandom random, int characters) {
        int odd = characters / SHARE_OF_ODD_WORDS;
        var text = new StringBuilder(OrdinaryText.of(random.nextLong(), characters - odd));
        for (int end = text.length() + odd; text.length() < end; ) {
            text.append(' ').append(oddWord(random));
        }
        return text.toString();
    }

    private static String oddWord(SplittableRandom random) {
        var word = new StringBuilder();
        for (int left = 2 + random.nextInt(LONGEST_ODD_WORD - 1); left > 0; left--) {
            word.append((char) ('a' + random.nextInt(LETTERS)));
        }
        return word.toString();
    }

    /** The body of the request as it stands. */
    byte[] turn() {
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The body of the turn after that: an answer and what the user says to it. */
    byte[] next() {
        say("assistant", laterCharacters / 2);
        say("user", laterCharacters / 2);
        return turn();
    }
}
