package io.kvrouter.sim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.msgpack.value.ArrayValue;
import org.msgpack.value.Value;

/** A naive router's: each block that a worker told of, with all the tokens up to its end. */
final class PrefixIndex {
    private final Map<BigInteger, List<Integer>> prefixes = new HashMap<>();
    private final int blockSize;
    private long next;

    PrefixIndex(int blockSize) {
        this.blockSize = blockSize;
    }

    /** The sequence number of the batch to apply next. */
    long next() {
        return next;
    }

    void apply(KvSubscriber.Message message) {
        assertThat(message.sequence()).isEqualTo(next++);
        message.events().forEach(event -> apply(event.asArrayValue()));
    }

    /** How much of a prompt a worker finds: never its last token. */
    int knownTokens(List<Integer> prompt) {
        var known = new HashSet<>(prefixes.values());
        int tokens = 0;
        while (tokens + blockSize < prompt.size() && known.contains(prompt.subList(0, tokens + blockSize))) {
            tokens += blockSize;
        }
        return tokens;
    }

    private void apply(ArrayValue event) {
        List<Value> blocks = event.get(1).asArrayValue().list();
        if (event.get(0).asStringValue().asString().equals("BlockRemoved")) {
            blocks.forEach(block -> assertThat(prefixes.remove(name(block))).isNotNull());
            return;
        }
        List<Integer> before = event.get(2).isNilValue() ? List.of() : prefixes.get(name(event.get(2)));
        assertThat(before).as("the parent is known").isNotNull();
        List<Integer> tokens = event.get(3).asArrayValue().list().stream()
                .map(token -> token.asIntegerValue().asInt())
                .toList();
        for (int i = 0; i < blocks.size(); i++) {
            var prefix = new ArrayList<>(before);
            prefix.addAll(tokens.subList(0, (i + 1) * blockSize));
            assertThat(prefixes.put(name(blocks.get(i)), prefix)).isNull();
        }
    }

    private static BigInteger name(Value block) {
        return block.asIntegerValue().asBigInteger();
    }
}
