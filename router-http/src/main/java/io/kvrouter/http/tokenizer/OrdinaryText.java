package io.kvrouter.http.tokenizer;

import java.util.List;
import java.util.SplittableRandom;

/** Text as agents send it, prose and code, made from a seed: to measure by, not to test by. */
public final class OrdinaryText {
    private static final List<String> WORDS =
            List.of(("the of and to in is that it for was on are as with they be at one have this from or had by "
                            + "not but what all were when we there can an your which their said if do will each about how up out "
                            + "them then she many some so these would other into has more her two like him see time could no make "
                            + "than first been its who now people my made over did down only way find use may water long little "
                            + "very after words called just where most know request worker cache prefix session binding token "
                            + "latency throughput scheduler replica partition snapshot configuration deployment observability "
                            + "Kubernetes PostgreSQL JavaScript asynchronous serialization")
                    .split(" "));

    private static final List<String> LINES = List.of(
            "    for (int i = 0; i < %d; i++) {\n        total += values[i] * %d;\n    }\n",
            "    return response.status() == %d ? Optional.empty() : Optional.of(body(%d));\n",
            "2026-11-%dT12:34:56Z INFO  worker-%d: 200 OK in 35 ms (x-request-id: 7f3c9a)\n",
            "{\"id\": %d, \"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": %d}}\n",
            "- [ ] It's item %d of %d; we'll see whether they're done, isn't it?\n",
            "def f_%d(x):\n    return [y ** %d for y in x if y is not None]\n\n");

    private OrdinaryText() {}

    /** Text of at least so many characters. */
    public static String of(long seed, int length) {
        var random = new SplittableRandom(seed);
        var text = new StringBuilder(length + 200);
        while (text.length() < length) {
            if (random.nextInt(40) == 0) {
                String line = LINES.get(random.nextInt(LINES.size()));
                text.append(".\n").append(line.formatted(random.nextInt(1_000), random.nextInt(100)));
            }
            text.append(random.nextInt(12) == 0 ? ", " : " ").append(WORDS.get(random.nextInt(WORDS.size())));
        }
        return text.toString();
    }
}
