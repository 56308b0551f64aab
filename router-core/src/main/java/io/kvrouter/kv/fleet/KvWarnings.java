package io.kvrouter.kv.fleet;

import io.kvrouter.kv.fleet.WorkerKvStatus.RankStatus;
import java.util.List;
import java.util.stream.Stream;

/** What an operator should know of a worker's KV events, one sentence each. */
final class KvWarnings {
    private KvWarnings() {}

    static List<String> of(List<RankStatus> ranks, int expectedRanks, Partition partition) {
        Stream<String> missing = ranks.size() < expectedRanks
                ? Stream.of("Its registration names KV events of " + ranks.size() + " of its " + expectedRanks
                        + " ranks: the caches of the others are only guessed.")
                : Stream.empty();
        return Stream.concat(missing, ranks.stream().flatMap(rank -> of(rank, partition)))
                .toList();
    }

    private static Stream<String> of(RankStatus rank, Partition partition) {
        String name = "rank " + rank.source().rank();
        return switch (rank.state()) {
            case LIVE, SYNCING -> Stream.empty();
            case SILENT ->
                Stream.of("No KV events of " + name + " come from "
                        + rank.source().endpoint() + ": its cache is only guessed from this router's own choices.");
            case SUSPECT ->
                Stream.of("KV events of " + name + " are lost for good: its cache is known in part, until it is reset"
                        + " or the engine restarts.");
            case WRONG_BLOCK_SIZE ->
                Stream.of("The KV blocks of " + name + " do not hold " + partition.blockSize()
                        + " tokens, as those of most workers of its group and model do" + engineSize(rank)
                        + ": it is routed by load only.");
        };
    }

    private static String engineSize(RankStatus rank) {
        int size = rank.stream().engineBlockSize();
        return size == 0 ? "" : ", but " + size;
    }
}
