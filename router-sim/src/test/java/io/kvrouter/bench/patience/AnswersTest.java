package io.kvrouter.bench.patience;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswersTest {
    private final Answers answers = new Answers();

    @Test
    void anAnswerBelongsToTheTimeInWhichItEnded() {
        answers.good(0, 99);
        answers.good(50, 100);
        answers.good(190, 199);
        answers.good(195, 200);

        assertThat(answers.latencies(100, 200).stream()).containsExactly(9L, 50L);
        assertThat(answers.latencies().count()).isEqualTo(4);
    }

    @Test
    void otherAnswersAreCountedByWhatTheyWere() {
        answers.other("429 at_capacity");
        answers.other("429 at_capacity");
        answers.other("broken off");

        assertThat(answers.others()).containsEntry("429 at_capacity", 2).containsEntry("broken off", 1);
        assertThat(answers.goodCount()).isZero();
    }
}
