package io.kvrouter.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.failover.Breaker.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private static final BreakerSettings SETTINGS = BreakerSettings.DEFAULT;

    private static Breaker onTrial() {
        return Breaker.CLOSED.tripped().due();
    }

    /** What a breaker allows, step by step, until it is closed. */
    private static List<Integer> allowances(Breaker from) {
        List<Integer> allowed = new ArrayList<>();
        for (Breaker now = from; now.state() == State.STARTING; now = now.due()) {
            allowed.add(now.allowance());
        }
        return allowed;
    }

    @Test
    void anOpenOneAllowsNothingUntilItsTimeIsOver() {
        var open = Breaker.CLOSED.tripped();

        assertThat(open.state()).isEqualTo(State.OPEN);
        assertThat(open.allowance()).isZero();
        assertThat(open.wait(SETTINGS)).contains(SETTINGS.open());
    }

    @Test
    void afterThatOneRequestIsOnTrialHoweverLong() {
        assertThat(onTrial().state()).isEqualTo(State.TRIAL);
        assertThat(onTrial().allowance()).isEqualTo(1);
        assertThat(onTrial().wait(SETTINGS)).isEmpty();
    }

    @Test
    void aTrialThatSaysNothingGoesOn() {
        assertThat(onTrial().tried(Outcome.NEUTRAL)).isEqualTo(onTrial());
    }

    @Test
    void eachTrialThatFailsDoublesTheTimeUpToTheLongest() {
        List<Duration> waits = new ArrayList<>();
        for (Breaker breaker = onTrial(); breaker.trips() < 40; breaker = breaker.due()) {
            breaker = breaker.tried(Outcome.FAILED);
            waits.add(breaker.wait(SETTINGS).orElseThrow());
        }

        assertThat(waits).startsWith(Duration.ofSeconds(8), Duration.ofSeconds(16), Duration.ofSeconds(32));
        assertThat(waits).endsWith(SETTINGS.longest(), SETTINGS.longest());
    }

    @Test
    void aTrialThatIsAnsweredLetsTheWorkerStartSlowly() {
        assertThat(allowances(onTrial().tried(Outcome.ANSWERED))).containsExactly(2, 4, 8, 16, 32);
    }

    @Test
    void aWorkerThatIsBackStartsWithOne() {
        assertThat(allowances(Breaker.returned())).containsExactly(1, 2, 4, 8, 16, 32);
        assertThat(Breaker.returned().wait(SETTINGS))
                .contains(Duration.ofSeconds(10).dividedBy(6));
    }

    @Test
    void whileItStartsItMayOpenAgainForLonger() {
        var again = onTrial().tried(Outcome.ANSWERED).due().tripped();

        assertThat(again.state()).isEqualTo(State.OPEN);
        assertThat(again.wait(SETTINGS)).contains(SETTINGS.open().multipliedBy(2));
    }

    @Test
    void aQuietTimeMakesItForget() {
        Breaker closed = onTrial().tried(Outcome.ANSWERED);
        while (closed.state() == State.STARTING) {
            closed = closed.due();
        }

        assertThat(closed.trips()).isEqualTo(1);
        assertThat(closed.wait(SETTINGS)).contains(SETTINGS.longest());
        assertThat(closed.due()).isEqualTo(Breaker.CLOSED);
        assertThat(Breaker.CLOSED.wait(SETTINGS)).isEmpty();
    }

    @Test
    void whatComesLateChangesNothing() {
        var open = Breaker.CLOSED.tripped();

        assertThat(open.tripped()).isEqualTo(open);
        assertThat(onTrial().tripped()).isEqualTo(onTrial());
        assertThat(open.tried(Outcome.ANSWERED)).isEqualTo(open);
        assertThat(Breaker.CLOSED.tried(Outcome.FAILED)).isEqualTo(Breaker.CLOSED);
    }

    @Nested
    class ItsSettings {
        @Test
        void areRefusedWhereTheyMakeNoSense() {
            var second = Duration.ofSeconds(1);

            assertThatThrownBy(() -> new BreakerSettings(-1, 0.5, second, second, second))
                    .hasMessageContaining("failures: -1");
            assertThatThrownBy(() -> new BreakerSettings(5, Double.NaN, second, second, second))
                    .hasMessageContaining("share: NaN");
            assertThatThrownBy(() -> new BreakerSettings(5, 0.5, second, Duration.ZERO, second))
                    .hasMessageContaining("open: PT1S");
        }
    }
}
