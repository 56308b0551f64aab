package io.kvrouter.cluster.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.ddata.RequiresCausalDeliveryOfDeltas;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

class LoadDataTest {
    private static final List<UniqueAddress> NODES =
            IntStream.range(0, 4).mapToObj(TestNode::address).toList();

    @Test
    void deltasNeedNoOrder() {
        assertThat(LoadData.EMPTY).isNotInstanceOf(RequiresCausalDeliveryOfDeltas.class);
    }

    @Test
    void theDeltaIsWhatWasWrittenSinceTheLastReset() {
        var node = new TestNode(0, 1);
        LoadSlice first = node.tell(1);
        LoadSlice second = node.tell(2);

        LoadData written =
                LoadData.EMPTY.write(NODES.get(0), first).resetDelta().write(NODES.get(0), second);

        assertThat(written.deltaData()).contains(LoadData.of(Map.of(NODES.get(0), second)));
        assertThat(written.slices().get(NODES.get(0))).isEqualTo(first.merge(second));
        assertThat(written.resetDelta().deltaData()).isEmpty();
    }

    @Test
    void aRemovedNodesSliceIsDroppedAndNotGivenToASurvivor() {
        LoadData both = LoadData.EMPTY
                .write(NODES.get(0), new TestNode(0, 1).tell(1))
                .write(NODES.get(1), new TestNode(1, 1).tell(1));

        LoadData pruned = both.prune(NODES.get(0), NODES.get(1));

        assertThat(both.needPruningFrom(NODES.get(0))).isTrue();
        assertThat(CollectionConverters.asJava(both.modifiedByNodes()))
                .containsExactlyInAnyOrder(NODES.get(0), NODES.get(1));
        assertThat(pruned.needPruningFrom(NODES.get(0))).isFalse();
        assertThat(pruned.slices().get(NODES.get(1))).isEqualTo(both.slices().get(NODES.get(1)));
        assertThat(both.pruningCleanup(NODES.get(0))).isEqualTo(pruned);
    }

    @Test
    void fourNodesComeToTheSameWhateverTheOrderOfTheirMessages() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            List<TestNode> nodes = nodes(seed);
            List<LoadData> messages = messages(nodes, random, 200);
            messages.addAll(messages.subList(0, 50)); // repeated

            var views = new HashSet<LoadData>();
            for (int view = 0; view < 4; view++) {
                Collections.shuffle(messages, random);
                views.add(messages.stream().reduce(LoadData.EMPTY, LoadData::mergeDeltaData));
            }

            assertThat(views).hasSize(1);
            LoadData view = views.iterator().next();
            nodes.forEach(node -> assertThat(view.slices().get(node.address()))
                    .isEqualTo(node.writer().current()));
        }
    }

    @Test
    void lossHealsWithEachNodesNextWholeSlice() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            List<TestNode> nodes = nodes(seed);
            List<LoadData> messages = messages(nodes, random, 200);
            messages.removeIf(lost -> random.nextInt(3) == 0);
            nodes.stream().map(node -> node.message(true)).forEach(messages::add);
            Collections.shuffle(messages, random);

            LoadData view = messages.stream().reduce(LoadData.EMPTY, LoadData::mergeDeltaData);

            nodes.forEach(node -> assertThat(loads(view.slices().getOrDefault(node.address(), LoadSlice.EMPTY), node))
                    .isEqualTo(loads(node.writer().current(), node)));
        }
    }

    @Test
    void pruningAndMergingComeToTheSameInEitherOrder() {
        var random = new Random(4);
        List<LoadData> messages = messages(nodes(4), random, 100);
        LoadData left = messages.subList(0, 50).stream().reduce(LoadData.EMPTY, LoadData::mergeData);
        LoadData right = messages.subList(50, 100).stream().reduce(LoadData.EMPTY, LoadData::mergeData);
        UniqueAddress gone = NODES.get(2);

        assertThat(left.prune(gone, NODES.get(0)).mergeData(right.prune(gone, NODES.get(1))))
                .isEqualTo(left.mergeData(right).pruningCleanup(gone));
    }

    private static List<TestNode> nodes(int seed) {
        return IntStream.range(0, 4)
                .mapToObj(i -> new TestNode(i, seed * 4L + i))
                .toList();
    }

    private static List<LoadData> messages(List<TestNode> nodes, Random random, int count) {
        List<LoadData> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(nodes.get(random.nextInt(4)).work().message(random.nextInt(10) == 0));
        }
        return messages;
    }

    private static List<WorkerLoad> loads(LoadSlice slice, TestNode node) {
        return IntStream.range(0, TestNode.WORKERS)
                .mapToObj(worker -> slice.loadOf(node.key(worker)))
                .toList();
    }
}
