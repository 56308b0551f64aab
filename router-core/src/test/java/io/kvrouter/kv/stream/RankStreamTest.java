package io.kvrouter.kv.stream;

import static io.kvrouter.kv.stream.FakeEngine.stored;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@NullMarked
class RankStreamTest extends FollowedEngine {
    @Test
    void asksForEverythingWhenItIsOpened() {
        assertThat(stream.ask(NOW)).isZero();
        assertThat(stream.state()).isEqualTo(StreamState.SYNCING);
    }

    @Test
    void knowsWhatWasPublishedBeforeItWasOpened() {
        engine.publish(stored(null, 1, 2));
        engine.publish(stored(2L, 3));

        engine.answer(stream, NOW);

        assertThat(held(1, 2, 3)).isEqualTo(3);
        assertThat(stream.state()).isEqualTo(StreamState.LIVE);
    }

    @Test
    void appliesWhatIsPublishedWhileItReadsTheBeginning() {
        engine.publish(stored(null, 1));
        stream.ask(NOW);
        live(engine.publish(stored(1L, 2)));

        engine.replay(0).forEach(message -> stream.replayed(message.sequence(), message.payload(), NOW));
        stream.replayEnded(NOW);
        live(engine.publish(stored(2L, 3)));

        assertThat(held(1, 2, 3)).isEqualTo(3);
        assertThat(status().sync()).isEqualTo(SyncCounts.NONE);
    }

    @Test
    void keepsNoMoreThanItsBytesWhileItWaitsAndFindsTheRestAgain() {
        var narrow = stream(true, new StreamSettings(5_000, 10_000, 30_000, 200));
        narrow.ask(NOW);
        for (int i = 1; i <= 100; i++) {
            var message = engine.publish(stored(i == 1 ? null : (long) i - 1, i));
            narrow.live(message.sequence(), message.payload(), NOW);
        }
        assertThat(narrow.status().lag()).isLessThan(100);

        narrow.replayEnded(NOW);
        engine.answer(narrow, NOW);
        var last = engine.publish(stored(100L, 101));
        narrow.live(last.sequence(), last.payload(), NOW);
        engine.answer(narrow, NOW);

        assertThat(narrow.status().blocks()).isEqualTo(101);
        assertThat(narrow.status().sync().clears()).isZero();
    }

    @Nested
    class WhenTheEngineDoesNotAnswer {
        @Test
        void saysSoAfterAWhile() {
            for (long now = NOW; now < NOW + SETTINGS.silence(); now += 1_000) {
                stream.ask(now);
                assertThat(stream.state()).isEqualTo(StreamState.SYNCING);
            }
            stream.ask(NOW + SETTINGS.silence());

            assertThat(stream.state()).isEqualTo(StreamState.SILENT);
            assertThat(stream.state().known()).isFalse();
        }

        @Test
        void asksAgainLessAndLessOften() {
            int questions = 0;
            for (long now = NOW; now < NOW + 600_000; now += 500) {
                questions += stream.ask(now) == RankStream.NONE ? 0 : 1;
            }

            assertThat(questions).isBetween(5, 20);
        }

        @Test
        void knowsWhatIsPublishedFromThenOn() {
            stream.ask(NOW);
            engine.publish(stored(null, 1));
            live(engine.publish(stored(null, 2, 3)));

            stream.ask(NOW + SETTINGS.answerTimeout());

            assertThat(held(2, 3)).isEqualTo(2);
            assertThat(stream.state()).isEqualTo(StreamState.SUSPECT);
        }

        @Test
        void readsEverythingOnceItAnswers() {
            stream.ask(NOW);
            engine.publish(stored(null, 1));
            live(engine.publish(stored(1L, 2)));
            stream.ask(NOW + SETTINGS.answerTimeout());

            engine.answer(stream, NOW + 3 * SETTINGS.answerTimeout());

            assertThat(held(1, 2)).isEqualTo(2);
            assertThat(stream.state()).isEqualTo(StreamState.LIVE);
        }
    }

    @Nested
    class WithoutReplay {
        private final RankStream deaf = stream(false);

        @Test
        void followsFromTheFirstBatch() {
            var message = engine.publish(stored(null, 1));
            deaf.live(message.sequence(), message.payload(), NOW);

            assertThat(deaf.state()).isEqualTo(StreamState.LIVE);
            assertThat(deaf.ask(NOW + 100_000)).isEqualTo(RankStream.NONE);
        }

        @Test
        void isSuspectWhenItCameTooLate() {
            engine.publish(stored(null, 1));
            var message = engine.publish(stored(null, 2));
            deaf.live(message.sequence(), message.payload(), NOW);

            assertThat(deaf.state()).isEqualTo(StreamState.SUSPECT);
            deaf.ask(NOW);
            assertThat(deaf.status().blocks()).isEqualTo(1);
        }
    }
}
