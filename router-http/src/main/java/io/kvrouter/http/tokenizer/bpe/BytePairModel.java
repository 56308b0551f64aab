package io.kvrouter.http.tokenizer.bpe;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.ObjectIntHashMap;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A byte-level BPE model: the token of each single byte, which pairs merge, and what needs no merging. */
final class BytePairModel {
    private static final int BYTES = 256;

    private final int[] ofByte;
    private final Merges merges;
    private final Vocabulary whole;

    private BytePairModel(int[] ofByte, Merges merges, Vocabulary whole) {
        this.ofByte = ofByte;
        this.merges = merges;
        this.whole = whole;
    }

    /** Merges words of one thread. */
    BytePairs pairs() {
        return new BytePairs(ofByte, merges);
    }

    /** Words that are one token without merging: the outcome is known. */
    Vocabulary whole() {
        return whole;
    }

    static BytePairModel read(JsonNode model) throws NotByteLevelException {
        requireByteLevel(model);
        ObjectIntHashMap<String> ids =
                new ObjectIntHashMap<>(model.path("vocab").size());
        model.path("vocab")
                .properties()
                .forEach(token -> ids.put(token.getKey(), token.getValue().asInt()));
        int[] ofByte = ofByte(ids);
        Merges merges = merges(model.path("merges"), ids);
        boolean ignoresMerges = model.path("ignore_merges").asBoolean();
        return new BytePairModel(ofByte, merges, whole(ids, ignoresMerges, new BytePairs(ofByte, merges)));
    }

    private static void requireByteLevel(JsonNode model) throws NotByteLevelException {
        require(model.path("type").asText("BPE").equals("BPE"), "model " + model.path("type"));
        require(!model.path("byte_fallback").asBoolean(), "byte_fallback");
        require(model.path("dropout").asDouble() == 0, "dropout");
        for (String affix : List.of("continuing_subword_prefix", "end_of_word_suffix")) {
            require(model.path(affix).isNull() || model.path(affix).asText().isEmpty(), affix);
        }
    }

    private static void require(boolean holds, String otherwise) throws NotByteLevelException {
        if (!holds) {
            throw new NotByteLevelException(otherwise);
        }
    }

    private static int[] ofByte(ObjectIntHashMap<String> ids) throws NotByteLevelException {
        int[] ofByte = new int[BYTES];
        for (int b = 0; b < BYTES; b++) {
            ofByte[b] = ids.getOrDefault(ByteAlphabet.write(b), Vocabulary.ABSENT);
            require(ofByte[b] != Vocabulary.ABSENT, "no token for byte " + b);
        }
        return ofByte;
    }

    private static Merges merges(JsonNode list, ObjectIntHashMap<String> ids) throws NotByteLevelException {
        Merges merges = new Merges(list.size());
        for (int rank = 0; rank < list.size(); rank++) {
            JsonNode pair = list.get(rank);
            String text = pair.asText();
            int blank = text.indexOf(' ');
            require(pair.isArray() || blank > 0, "merges");
            String left = pair.isArray() ? pair.path(0).asText() : text.substring(0, blank);
            String right = pair.isArray() ? pair.path(1).asText() : text.substring(blank + 1);
            int merged = ids.getOrDefault(left + right, Vocabulary.ABSENT);
            require(ids.containsKey(left) && ids.containsKey(right) && merged >= 0, "a merge of unknown tokens");
            merges.put(ids.get(left), ids.get(right), rank, merged);
        }
        return merges;
    }

    /**
     * The words that need no merging. Where merges are not to be ignored for them, a token that its own merges do not
     * lead to is none of them.
     */
    private static Vocabulary whole(ObjectIntHashMap<String> ids, boolean ignoresMerges, BytePairs pairs) {
        Vocabulary whole = new Vocabulary(ids.size());
        IntArrayList merged = new IntArrayList();
        for (var token : ids) {
            byte[] bytes = ByteAlphabet.read(token.key);
            if (bytes.length == 0) {
                continue;
            }
            merged.clear();
            pairs.encode(bytes, bytes.length, merged);
            if (ignoresMerges || (merged.size() == 1 && merged.get(0) == token.value)) {
                whole.put(bytes, token.value);
            }
        }
        return whole;
    }
}
