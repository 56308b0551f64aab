package io.kvrouter.bench.callers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One worker with 8 places; a request that does not wait takes 200 ms. */
class CallersReportTest {
    private static final CallersPlan FEW = new CallersPlan(3, 1, 8, 50, 2, 40, Duration.ofSeconds(10));
    private static final CallersPlan MANY = new CallersPlan(3, 1, 8, 50, 30, 40, Duration.ofSeconds(10));

    @Test
    void aModestCallerThatWaitsLessThanOneServiceTimeIsSound() {
        assertThat(report(FEW, rows(300, 1_500), 8).sound()).isTrue();
    }

    @Test
    void waitingLongerThanThatIsNot() {
        assertThat(report(FEW, rows(401, 10_000), 8).sound()).isFalse();
    }

    @Test
    void waitingAQuarterOfWhatItWaitsInTheControlIsNot() {
        assertThat(report(FEW, rows(300, 600), 8).sound()).isFalse();
    }

    @Test
    void whoAsksForMoreThanItsShareMayWait() {
        assertThat(report(MANY, rows(1_500, 1_600), 8).sound()).isTrue();
    }

    @Test
    void aRequestTooManyOnAWorkerIsNotSound() {
        assertThat(report(FEW, rows(300, 1_500), 9).sound()).isFalse();
    }

    @Test
    void aFailedRequestIsNotSound() {
        var rows = rows(300, 1_500);
        rows.add(new Row(new Row.Key(Phase.EQUAL, Party.GREEDY), 9, 0.9, 900, 990, Map.of("503 queue_timeout", 1)));

        var report = report(FEW, rows, 8);

        assertThat(report.sound()).isFalse();
        assertThat(report.text()).contains("1 {503 queue_timeout=1}");
    }

    @Test
    void placesAndWaitAreTakenFromWhatARequestTakesAlone() {
        var text = report(FEW, rows(300, 1_500), 8).text().lines().toList();

        assertThat(text.get(0)).contains("service time 200 ms", "most on a worker: 8");
        assertThat(text.get(3).split(" +"))
                .containsSubsequence("modest", "2", "100", "10.0", "2.00", "100.0%", "300", "600", "100", "400", "0");
    }

    private static CallersReport report(CallersPlan plan, List<Row> rows, int most) {
        return new CallersReport(plan, rows, most);
    }

    /** Of the modest caller, 10 requests a second. */
    private static List<Row> rows(double equalMs, double controlMs) {
        return new ArrayList<>(List.of(
                row(Phase.ALONE, 200),
                row(Phase.EQUAL, equalMs),
                row(Phase.WEIGHTED, 250),
                row(Phase.ONE_KEY, controlMs)));
    }

    private static Row row(Phase phase, double p50Ms) {
        return new Row(new Row.Key(phase, Party.MODEST), 100, 10, p50Ms, 2 * p50Ms, Map.of());
    }
}
