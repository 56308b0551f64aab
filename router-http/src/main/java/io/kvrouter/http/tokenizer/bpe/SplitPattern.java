package io.kvrouter.http.tokenizer.bpe;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a text into the words inside which tokens are merged: one or more patterns, each applied to what the one before
 * it left.
 */
final class SplitPattern {
    /** Takes a word: part of the text. */
    interface Words {
        void word(int from, int to);
    }

    /**
     * One pattern.
     *
     * @param keepsRest what lies between matches is a word too; otherwise it is dropped
     */
    record Stage(Pattern pattern, boolean keepsRest) {}

    private final List<Stage> stages;

    SplitPattern(List<Stage> stages) {
        this.stages = List.copyOf(stages);
    }

    void split(String text, Words words) {
        Matcher[] matchers =
                stages.stream().map(stage -> stage.pattern().matcher(text)).toArray(Matcher[]::new);
        new Run(matchers, words).split(0, 0, text.length());
    }

    private final class Run {
        private final Matcher[] matchers;
        private final Words words;

        Run(Matcher[] matchers, Words words) {
            this.matchers = matchers;
            this.words = words;
        }

        /** A pattern sees nothing beyond its part of the text: neither before it nor after. */
        void split(int stage, int from, int to) {
            if (from == to) {
                return;
            }
            if (stage == matchers.length) {
                words.word(from, to);
                return;
            }
            Matcher matcher = matchers[stage].region(from, to);
            boolean keepsRest = stages.get(stage).keepsRest();
            int at = from;
            while (matcher.find()) {
                int start = matcher.start();
                if (keepsRest) {
                    split(stage + 1, at, start);
                }
                at = matcher.end();
                split(stage + 1, start, at);
            }
            if (keepsRest) {
                split(stage + 1, at, to);
            }
        }
    }
}
