package io.kvrouter.permit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.permit.PermitWorld.Node;
import io.kvrouter.worker.WorkerId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is lost, late or dies: never more than the cap, and in the end none of it is lost. */
class PermitModelTest {
    private static final int SEEDS = 200;
    private static final int STEPS = 1_000;
    private static final WorkerId A = PermitWorld.WORKERS.getFirst();

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "1, 3, 0.2", "2, 4, 0.1", "5, 3, 0.5", "64, 4, 0.2"})
    void neverMoreThanTheCapAndNoneIsLost(int cap, int nodes, double losses) {
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = new PermitWorld(cap, nodes, seed);
            world.losses = losses;
            for (int step = 0; step < STEPS; step++) {
                step(world);
                for (WorkerId worker : PermitWorld.WORKERS) {
                    assertThat(world.running(worker)).isLessThanOrEqualTo(cap);
                    assertThat(world.held(worker)).isLessThanOrEqualTo(cap);
                }
            }
            allIsThereInTheEnd(world);
        }
    }

    private static void step(PermitWorld world) {
        var random = world.random;
        if (world.nodes.isEmpty()) {
            world.nodeJoins();
        }
        Node node = world.nodes.get(random.nextInt(world.nodes.size()));
        WorkerId worker = PermitWorld.WORKERS.get(random.nextInt(2));
        switch (random.nextInt(200)) {
            case 0 -> world.officeDies();
            case 1 -> world.nodeDies(node);
            case 2 -> world.nodeJoins();
            case 3, 4 -> node.knows(node.knowsAll() ? Set.of(worker) : PermitWorld.WORKERS);
            default -> {
                switch (random.nextInt(5)) {
                    case 0 -> node.waiting.merge(worker, 1 + random.nextInt(3), Integer::sum);
                    case 1 -> node.ends(worker);
                    case 2 -> world.pass(random.nextInt(100));
                    default -> world.deliver();
                }
                node.serves(worker);
            }
        }
    }

    private static void allIsThereInTheEnd(PermitWorld world) {
        world.nodes.forEach(node -> node.knows(PermitWorld.WORKERS));
        for (Node node : world.nodes) {
            node.waiting.clear();
            for (WorkerId worker : PermitWorld.WORKERS) {
                while (node.running(worker) > 0) {
                    node.ends(worker);
                }
            }
        }
        world.settle();
        if (!world.nodes.isEmpty()) {
            PermitWorld.WORKERS.forEach(worker -> assertThat(world.held(worker)).isEqualTo(world.cap));
        }
    }

    @Test
    void whoWantsSharesEquallyAndWhoWantsLittleHasIt() {
        var world = new PermitWorld(10, 3, 1);
        world.settle();
        world.nodes.get(0).waiting.put(A, 50);
        world.nodes.get(1).waiting.put(A, 50);
        world.nodes.get(2).waiting.put(A, 2);

        for (int round = 0; round < 5; round++) {
            world.nodes.forEach(node -> node.serves(A));
            world.settle();
        }

        assertThat(world.nodes).extracting(node -> node.running(A)).containsExactly(4, 4, 2);
    }

    @Test
    void whatOneNodeDoesNotUseAnotherOneGets() {
        var world = new PermitWorld(10, 3, 1);
        world.settle();
        world.nodes.get(1).waiting.put(A, 50);

        for (int round = 0; round < 5; round++) {
            world.nodes.get(1).serves(A);
            world.settle();
        }

        assertThat(world.nodes.get(1).running(A)).isEqualTo(10);
    }

    /** Fewer permits than nodes that want one: they go round. */
    @Test
    void oneIsHandedFromNodeToNode() {
        var world = new PermitWorld(1, 3, 1);
        world.settle();
        world.nodes.forEach(node -> node.waiting.put(A, 1_000));
        int[] served = new int[3];

        for (int turn = 0; turn < 30; turn++) {
            world.settle();
            for (int i = 0; i < 3; i++) {
                Node node = world.nodes.get(i);
                node.serves(A);
                served[i] += node.running(A);
                node.ends(A);
            }
        }

        assertThat(served).containsExactly(10, 10, 10);
    }

    @Test
    void aNewOfficeGivesNothingBeforeAllHaveSaidWhatTheyHold() {
        var office = new PermitOffice(0, 2, Set.of(1L, 2L));
        var row = new PermitReport.Row(A, 0, 4, 0, true);
        office.told(new PermitReport(1, 2, 4, true, List.of(row)));

        assertThat(office.news()).isEmpty();

        office.told(new PermitReport(2, 2, 4, true, List.of(new PermitReport.Row(A, 3, 3, 0, true))));

        assertThat(office.news().values())
                .flatExtracting(PermitGrants::rows)
                .extracting(PermitGrants.Row::permits)
                .containsExactly(1, 3);
    }

    /** As in a rolling restart that brings the cap. */
    @Test
    void theLeastCapThatANodeKnowsHoldsForAllThatHaveOne() {
        var office = new PermitOffice(0, 2, Set.of(1L, 2L));
        office.told(new PermitReport(1, 2, PermitReport.NO_CAP, true, List.of()));
        office.told(new PermitReport(2, 2, 8, true, List.of(new PermitReport.Row(A, 0, 0, 0, true))));
        assertThat(grants(office)).containsExactly(8);

        office.joins(3);
        office.told(new PermitReport(3, 2, 6, true, List.of(new PermitReport.Row(A, 0, 0, 0, true))));
        assertThat(office.news().values())
                .flatExtracting(PermitGrants::rows)
                .extracting(PermitGrants.Row::keep)
                .contains(3); // what nobody wants is for both, and the second one has to give five back first
    }

    private static List<Integer> grants(PermitOffice office) {
        return office.news().values().stream()
                .flatMap(news -> news.rows().stream())
                .map(PermitGrants.Row::permits)
                .toList();
    }
}
