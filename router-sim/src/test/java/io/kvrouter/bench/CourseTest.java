package io.kvrouter.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CourseTest {
    private final Course course = new Course(Collections.nCopies(3, new byte[1]));

    @Test
    void givesOutEachRequestOnce() {
        assertThat(List.of(given(), given(), given(), given())).containsExactly(true, true, true, false);
    }

    @Test
    void isOverWhenTheLastRequestIsAnswered() {
        course.answered(200, "pinned", 5);
        course.answered(200, "pinned", 7);
        assertThat(course.over()).isNotDone();

        course.answered(200, null, 6);

        Round round = course.over().join();
        assertThat(round.samples().stream()).containsExactly(5L, 6L, 7L);
        assertThat(round.failed()).isZero();
        assertThat(round.decisions()).containsOnly(Map.entry("pinned", 2));
    }

    @Test
    void anErrorAndALostAnswerAreFailuresAndNoSamples() {
        course.answered(503, null, 5);
        course.failed();
        course.answered(200, null, 6);

        Round round = course.over().join();
        assertThat(round.failed()).isEqualTo(2);
        assertThat(round.sent()).isEqualTo(3);
        assertThat(round.samples().stream()).containsExactly(6L);
    }

    @Test
    void whatNobodyIsLeftToSendHasFailed() {
        course.answered(200, null, 6);

        course.abandon();

        assertThat(course.over().join().failed()).isEqualTo(2);
    }

    private boolean given() {
        return course.next() != null;
    }
}
