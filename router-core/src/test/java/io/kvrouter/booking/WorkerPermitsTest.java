package io.kvrouter.booking;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.admission.Admission;
import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.admission.Aim;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.selection.TestFleets;
import io.kvrouter.worker.Demand;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkerPermitsTest {
    private static final int CAP = 3;

    /** Else a full queue would take more, for as long as workers of other models are idle. */
    @Test
    void othersMayGiveOnlyWhatARequestMayUse() {
        var desk = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(3));
        var permits = new WorkerPermits(CAP, 1, desk, new Admission(AdmissionSettings.OFF));
        permits.fleet(TestFleets.of(2));
        var only = new Demand(TestFleets.ANY.group(), TestFleets.ANY.model(), Set.of(TestFleets.id(0)));

        assertThat(permits.elsewhere(new Aim.Serving(only), 0)).isEqualTo(CAP);
        assertThat(permits.elsewhere(new Aim.Serving(TestFleets.ANY), 0)).isEqualTo(2 * CAP);
        assertThat(permits.elsewhere(Aim.Door.ANY, 0)).isEqualTo(2 * CAP);
        assertThat(permits.elsewhere(new Aim.Serving(new Demand("other", "m", Set.of())), 0))
                .isZero();
    }
}
