package io.kvrouter.bench.overlap;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** One conversation: a system prompt that others share, then turns that each carry all before. */
final class Conversation {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SYSTEM_PROMPTS = 12;
    private static final int SYSTEM_WORDS = 600;
    private static final int MOST_WORDS = 400;
    private static final int FEWEST_WORDS = 20;
    private static final int MOST_TURNS = 12;
    private static final int LONGEST_ANSWER = 120;

    private final RandomGenerator random;
    private final ArrayNode messages = JSON.createArrayNode();
    private int turnsLeft;

    Conversation(RandomGenerator random) {
        this.random = random;
        this.turnsLeft = 1 + random.nextInt(MOST_TURNS);
        int system = random.nextInt(1 + random.nextInt(SYSTEM_PROMPTS)); // some are much more common than others
        var seeded = new SplittableRandom(system);
        add("system", words(seeded, SYSTEM_WORDS));
    }

    boolean over() {
        return turnsLeft == 0;
    }

    /** The body of the next turn. */
    byte[] next(String model) {
        turnsLeft--;
        add("user", words(random, FEWEST_WORDS + random.nextInt(MOST_WORDS)));
        ObjectNode body = JSON.createObjectNode();
        body.put("model", model);
        body.put("max_tokens", 1 + random.nextInt(LONGEST_ANSWER));
        body.set("messages", messages);
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What the worker answered. */
    void answered(String content) {
        add("assistant", content);
    }

    private void add(String role, String content) {
        messages.addObject().put("role", role).put("content", content);
    }

    private static String words(RandomGenerator random, int count) {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(Integer.toString(random.nextInt(1 << 20), Character.MAX_RADIX))
                    .append(' ');
        }
        return text.toString();
    }
}
