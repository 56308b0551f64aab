package io.kvrouter.booking;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.booking.AdmissionWorld.At;
import io.kvrouter.booking.AdmissionWorld.Client;
import org.junit.jupiter.api.Test;

/** A node that its cluster has lost, or may have, while it runs a request of the two that a worker may have. */
class LostNodeTest {
    private final AdmissionWorld world =
            new AdmissionWorld(new AdmissionSettings(AdmissionSettings.UNBOUNDED, 2, 10, 60_000), 1);
    private final Client running = world.runs(0);

    @Test
    void letsNobodyInWhenItIsCutOff() {
        assertThat(running.at).isEqualTo(At.WORKER);

        world.desk.cutOff();
        Client next = world.comes(0);
        running.leaves();
        world.hearsTheOffice();

        assertThat(next.at).isEqualTo(At.DOOR);
    }

    @Test
    void letsNobodyInForAWhileAfterItStoodStill() {
        world.desk.awake();
        world.now += 5_001;
        world.desk.awake();
        Client next = world.comes(0);
        running.leaves();
        assertThat(next.at).isEqualTo(At.DOOR);

        world.now += 4_000;
        world.desk.awake();
        assertThat(next.at).isEqualTo(At.DOOR);

        world.now += 4_000;
        world.desk.awake();
        assertThat(next.at).isEqualTo(At.READING);
    }
}
