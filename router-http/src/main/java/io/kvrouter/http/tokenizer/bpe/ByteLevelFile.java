package io.kvrouter.http.tokenizer.bpe;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads how a byte-level tokenizer normalises and splits; refuses whatever it does not know exactly. */
final class ByteLevelFile {
    /** What the byte-level stage splits by when it has no pattern before it (GPT-2's). */
    private static final String GPT2 =
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

    private static final String TYPE = "type";

    private ByteLevelFile() {}

    /** Whether texts are composed (NFC) before they are split. */
    static boolean composes(JsonNode normalizer) throws NotByteLevelException {
        if (normalizer.isNull() || normalizer.isMissingNode()) {
            return false;
        }
        return switch (normalizer.path(TYPE).asText()) {
            case "NFC" -> true;
            case "Sequence" -> {
                boolean composes = false;
                for (JsonNode part : normalizer.path("normalizers")) {
                    composes |= composes(part);
                }
                yield composes;
            }
            default -> throw new NotByteLevelException("normalizer " + normalizer.path(TYPE));
        };
    }

    static SplitPattern split(JsonNode preTokenizer) throws NotByteLevelException {
        List<JsonNode> parts = new ArrayList<>();
        if (preTokenizer.path(TYPE).asText().equals("Sequence")) {
            preTokenizer.path("pretokenizers").forEach(parts::add);
        } else {
            parts.add(preTokenizer);
        }
        List<SplitPattern.Stage> stages = new ArrayList<>();
        for (int i = 0; i < parts.size() - 1; i++) {
            stages.add(stage(parts.get(i)));
        }
        JsonNode last = parts.isEmpty() ? preTokenizer : parts.getLast();
        if (!last.path(TYPE).asText().equals("ByteLevel")
                || last.path("add_prefix_space").asBoolean(true)) {
            throw new NotByteLevelException("pre_tokenizer " + last.path(TYPE) + " at the end");
        }
        if (last.path("use_regex").asBoolean(true)) {
            stages.add(new SplitPattern.Stage(compile(GPT2), true));
        }
        return new SplitPattern(stages);
    }

    private static SplitPattern.Stage stage(JsonNode part) throws NotByteLevelException {
        return switch (part.path(TYPE).asText()) {
            case "Split" -> new SplitPattern.Stage(pattern(part.path("pattern")), keepsRest(part));
            case "Digits" ->
                new SplitPattern.Stage(
                        compile(part.path("individual_digits").asBoolean() ? "\\p{N}" : "\\p{N}+"), true);
            default -> throw new NotByteLevelException("pre_tokenizer " + part.path(TYPE));
        };
    }

    private static boolean keepsRest(JsonNode split) throws NotByteLevelException {
        String behavior = split.path("behavior").asText();
        boolean invert = split.path("invert").asBoolean();
        if (behavior.equals("Isolated")) {
            return true;
        }
        if (behavior.equals("Removed") && invert) {
            return false;
        }
        throw new NotByteLevelException("split " + behavior + (invert ? " inverted" : ""));
    }

    private static Pattern pattern(JsonNode pattern) throws NotByteLevelException {
        return pattern.has("String")
                ? compile(Pattern.quote(pattern.path("String").asText()))
                : compile(pattern.path("Regex").asText());
    }

    /** Blanks, and upper and lower case, are Unicode's, as in the library that Hugging Face uses. */
    private static Pattern compile(String regex) throws NotByteLevelException {
        try {
            return Pattern.compile(regex, Pattern.UNICODE_CHARACTER_CLASS);
        } catch (PatternSyntaxException e) {
            throw new NotByteLevelException("pattern: " + e.getDescription());
        }
    }
}
