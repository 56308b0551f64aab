package io.kvrouter.permit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.permit.PermitWorld.Node;
import io.kvrouter.worker.WorkerId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is lost, late, dies or is only taken for dead: never more than the cap, and in the end none of it is lost. */
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

    /** The others can't wait for a node that stands still: what it had running is beyond the cap then, and no more. */
    @Test
    void aNodeThatStandsStillAddsWhatItHadRunning() {
        int beyond = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = new PermitWorld(4, 3, seed);
            play(world, STEPS / 2);
            Node still = world.nodes.get(1);
            int had = still.running(A);
            world.nodeStandsStill(still);
            while (!world.downed.isEmpty()) {
                play(world, 1);
                assertThat(still.running(A)).isLessThanOrEqualTo(had);
                assertThat(world.running(A)).isLessThanOrEqualTo(4 + still.running(A));
                beyond = Math.max(beyond, world.running(A) - 4);
            }
            allIsThereInTheEnd(world);
        }
        assertThat(beyond).isPositive(); // else nothing was tried
    }

    /** Requests come and go on all nodes that run. */
    private static void play(PermitWorld world, int steps) {
        for (int step = 0; step < steps; step++) {
            Node node = any(world);
            if (node.isAwake()) {
                act(world, node, A);
            }
        }
    }

    private static void step(PermitWorld world) {
        var random = world.random;
        if (world.nodes.isEmpty()) {
            world.nodeJoins();
        }
        Node node = any(world);
        WorkerId worker = PermitWorld.WORKERS.get(random.nextInt(2));
        switch (random.nextInt(200)) {
            case 0 -> world.officeDies();
            case 1 -> goes(world, node);
            case 2 -> world.nodeJoins();
            case 3, 4 -> node.knows(node.knowsAll() ? Set.of(worker) : PermitWorld.WORKERS);
            default -> act(world, node, worker);
        }
    }

    private static void act(PermitWorld world, Node node, WorkerId worker) {
        switch (world.random.nextInt(5)) {
            case 0 -> node.waiting.merge(worker, 1 + world.random.nextInt(3), Integer::sum);
            case 1 -> node.ends(worker);
            case 2 -> world.pass(world.random.nextInt(100));
            default -> world.deliver();
        }
        node.serves(worker);
    }

    private static Node any(PermitWorld world) {
        int number = world.random.nextInt(world.nodes.size() + world.downed.size());
        return number < world.nodes.size() ? world.nodes.get(number) : world.downed.get(number - world.nodes.size());
    }

    private static void goes(PermitWorld world, Node node) {
        if (world.nodes.contains(node)) {
            if (world.random.nextBoolean()) {
                world.nodeDies(node);
            } else {
                world.nodeIsDowned(node);
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
        var office = new PermitOffice(0, 2, Set.of(1L, 2L), Set.of());
        var row = new PermitReport.Row(A, 0, 4, 0, true);
        office.told(new PermitReport(1, 2, 4, true, List.of(row)));

        assertThat(office.news()).isEmpty();

        office.told(new PermitReport(2, 2, 4, true, List.of(new PermitReport.Row(A, 3, 3, 0, true))));

        assertThat(office.news().values())
                .flatExtracting(PermitGrants::rows)
                .extracting(PermitGrants.Row::permits)
                .containsExactly(1, 3);
    }

    @Test
    void whatADownedNodeHoldsIsGivenToNobodyBeforeItIsGone() {
        var office = new PermitOffice(0, 2, Set.of(1L, 2L), Set.of());
        office.told(new PermitReport(1, 2, 4, true, List.of(new PermitReport.Row(A, 1, 4, 0, true))));
        office.told(new PermitReport(2, 2, 4, true, List.of(new PermitReport.Row(A, 3, 3, 0, true))));
        assertThat(grants(office)).containsExactly(1, 3);

        office.downs(2);
        assertThat(office.news()).doesNotContainKey(2L);
        office.told(new PermitReport(2, 2, 4, true, List.of(new PermitReport.Row(A, 0, 0, 0, true))));
        assertThat(grants(office)).allMatch(permits -> permits == 1);

        office.leaves(2);
        assertThat(grants(office)).containsExactly(4);
    }

    @Test
    void aNewOfficeWaitsForADownedNodeThatItCannotAsk() {
        var office = new PermitOffice(0, 2, Set.of(1L), Set.of(2L));
        office.told(new PermitReport(1, 2, 4, true, List.of(new PermitReport.Row(A, 1, 4, 0, true))));
        assertThat(office.news()).isEmpty();

        office.leaves(2);

        assertThat(grants(office)).containsExactly(4);
    }

    @Test
    void aNodeThatIsCutOffKeepsWhatRunsAndBeginsNothing() {
        Node node = serving(3);

        node.permits.cutOff();
        assertThat(node.permits.held(A)).isEqualTo(3);
        node.ends(A);
        node.waiting.put(A, 5);
        node.serves(A);

        assertThat(node.running(A)).isEqualTo(2);
        assertThat(node.permits.held(A)).isEqualTo(2);
        assertThat(node.permits.report(100_000, true)).isEmpty();
        assertThat(node.permits.elsewhere(A, 100_000)).isZero();
    }

    /** As a process under a debugger does: it may have been downed meanwhile, and does not know yet. */
    @Test
    void aNodeThatStoodStillBeginsNothingForAWhile() {
        Node node = serving(3);
        assertThat(node.permits.awake(25_000)).isFalse();
        assertThat(node.permits.held(A)).isEqualTo(10);

        assertThat(node.permits.awake(30_001)).isTrue();
        assertThat(node.permits.held(A)).isEqualTo(3);
        node.ends(A);
        assertThat(node.permits.held(A)).isEqualTo(2);

        assertThat(node.permits.awake(34_000)).isFalse();
        assertThat(node.permits.awake(38_001)).isTrue();
        assertThat(node.permits.held(A)).isEqualTo(10);
    }

    /** One that holds 10 of a worker, of which so many are in use; it is 20 s old. */
    private static Node serving(int many) {
        var world = new PermitWorld(10, 1, 1);
        world.settle();
        Node node = world.nodes.getFirst();
        node.waiting.put(A, many);
        node.serves(A);
        return node;
    }

    /** As in a rolling restart that brings the cap. */
    @Test
    void theLeastCapThatANodeKnowsHoldsForAllThatHaveOne() {
        var office = new PermitOffice(0, 2, Set.of(1L, 2L), Set.of());
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
