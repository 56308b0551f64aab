package io.kvrouter.http.turn;

import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.header;
import static io.kvrouter.http.turn.TurnWorld.summary;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.admission.Shed;
import io.kvrouter.session.Answer;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("FutureReturnValueIgnored") // what comes of it is asked of the desk
class TurnAdmissionTest {
    private static final ActorTestKit KIT = ActorTestKit.create();

    private TurnWorld world;

    @BeforeEach
    void world() {
        world = new TurnWorld(KIT.system());
    }

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void aTurnThatIsOverSaysSo() throws Exception {
        world.body(world.head(world.request()));

        assertThat(world.desk.left()).isOne();
    }

    @Test
    void aTurnWhoseClientLeavesSaysSo() {
        world.desk.slow();

        world.request().abort();

        assertThat(world.desk.left()).isOne();
    }

    @ParameterizedTest
    @CsvSource({"QUEUE_FULL, 429 at_capacity", "DEADLINE, 503 queue_timeout"})
    void aTurnForWhichThereIsNoRoomHearsWhenToComeBack(Shed.Why why, String expected) throws Exception {
        world.desk.full(new Shed(why, 17));

        var answer = world.head(world.request());

        assertThat(summary(answer)).isEqualTo(expected);
        assertThat(header(answer, "Retry-After")).contains("17");
        assertThat(world.desk.left()).isOne();
    }

    @Test
    void aTurnThatMovesGivesUpItsFirstPlaceBeforeItAsksForTheNext() throws Exception {
        world.sessions.answers(TurnWorld.bound(B, 9, Answer.How.FOLLOWED));

        assertThat(world.runTurn()).isEqualTo("200 pinned " + B);

        assertThat(world.desk.isClean()).isTrue();
        assertThat(world.desk.mostHeld()).isOne();
    }
}
