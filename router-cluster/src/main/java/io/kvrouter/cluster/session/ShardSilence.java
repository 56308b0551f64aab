package io.kvrouter.cluster.session;

import io.kvrouter.session.SessionKey;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Which shards are not worth waiting for: those that let a decision wait in vain and have not been heard since that
 * decision's question was sent. Any thread.
 */
final class ShardSilence {
    private final AtomicIntegerArray silent = new AtomicIntegerArray(SessionKey.SHARDS);
    private final AtomicLongArray heard = new AtomicLongArray(SessionKey.SHARDS);

    boolean silent(int shard) {
        return silent.get(shard) != 0;
    }

    int count() {
        return (int) IntStream.range(0, SessionKey.SHARDS).filter(this::silent).count();
    }

    void heard(int shard) {
        heard.incrementAndGet(shard);
        silent.set(shard, 0);
    }

    /** How often the shard was heard: taken before a question is sent, it tells whether it was heard since. */
    long timesHeard(int shard) {
        return heard.get(shard);
    }

    void waitedInVain(int shard, long timesHeardBefore) {
        if (heard.get(shard) == timesHeardBefore) {
            silent.set(shard, 1);
            // An answer may have come between the two lines; silence must not outlast it.
            if (heard.get(shard) != timesHeardBefore) {
                silent.set(shard, 0);
            }
        }
    }
}
