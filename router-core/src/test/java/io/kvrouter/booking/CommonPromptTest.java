package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.TestFleets;
import io.kvrouter.worker.WorkerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonPromptTest {
    private static final int WORKERS = 4;
    private static final int SESSIONS = 64;
    private static final int BYTES_A_TOKEN = 4;

    private final BookingDesk desk = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(11));

    /** The prompt that all share draws sessions to its holders, the load that they make drives them away. */
    @ParameterizedTest
    @CsvSource({"1000, 500, false", "4000, 500, false", "4000, 500, true", "4000, 1000, true"})
    void noWorkerGetsMoreThanTwiceItsFairShareOfTheSessions(int common, int own, boolean prefilled) {
        desk.fleet(TestFleets.of(WORKERS));
        Map<WorkerId, Integer> shares = new HashMap<>();
        for (int i = 0; i < SESSIONS; i++) {
            String text = "x".repeat(common * BYTES_A_TOKEN) + ("session " + i + " ").repeat(own * BYTES_A_TOKEN / 10);
            var request = SelectionRequest.of(ANY, Prompt.ofText(text));
            var selected = (SelectionAnswer.Selected) desk.select(request, new ReservationId(i + 1), i);
            if (prefilled) {
                desk.prefillComplete(selected.reservation(), i);
            }
            shares.merge(selected.worker(), 1, Integer::sum);
        }

        assertThat(shares).hasSize(WORKERS);
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isLessThanOrEqualTo(2 * SESSIONS / WORKERS));
    }
}
