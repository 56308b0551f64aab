package io.kvrouter.bench.workload;

import java.util.ArrayList;
import java.util.List;

/** The blocks of a prompt that changes from turn to turn: it keeps its beginning, and what follows has new numbers. */
final class PromptBlocks {
    private final List<BlockRun> runs = new ArrayList<>();
    private final BlockNumbers numbers;

    PromptBlocks(BlockNumbers numbers) {
        this.numbers = numbers;
    }

    /** It begins with these, which others begin with too. */
    void begin(BlockRun shared) {
        runs.add(shared);
    }

    /** It has so many blocks from now on, of which at most so many are those it had. */
    void become(int count, int kept) {
        int have = keep(Math.min(count, kept));
        if (count > have) {
            append(count - have);
        }
    }

    List<BlockRun> runs() {
        return List.copyOf(runs);
    }

    private int keep(int most) {
        int have = 0;
        for (int i = 0; i < runs.size(); i++) {
            BlockRun run = runs.get(i);
            if (have + run.count() > most) {
                runs.subList(most > have ? i + 1 : i, runs.size()).clear();
                if (most > have) {
                    runs.set(i, new BlockRun(run.first(), most - have));
                }
                return most;
            }
            have += run.count();
        }
        return have;
    }

    private void append(int count) {
        BlockRun last = runs.isEmpty() ? null : runs.getLast();
        int first = numbers.take(count);
        if (last != null && last.first() + last.count() == first) {
            runs.set(runs.size() - 1, new BlockRun(last.first(), last.count() + count));
        } else {
            runs.add(new BlockRun(first, count));
        }
    }
}
