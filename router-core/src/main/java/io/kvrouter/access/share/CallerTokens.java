package io.kvrouter.access.share;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One caller's tokens of the last minute: what this node counted, and what it heard of the others. */
final class CallerTokens {
    /** By then all that was heard has left both windows, so that what is heard anew is counted once. */
    private static final long FORGET_MS = (TokenWindow.SECONDS + 2) * 1_000L;

    private final TokenWindow all;
    private final Map<Long, Heard> others = new HashMap<>();
    private @Nullable Own own;

    private static final class Own {
        final long since;
        final TokenWindow window;
        long total;
        long told;

        Own(long now) {
            since = now;
            window = new TokenWindow(now);
        }
    }

    private record Heard(Spent spent, long at) {}

    CallerTokens(long now) {
        all = new TokenWindow(now);
    }

    void spends(long tokens, long now) {
        if (own == null) {
            own = new Own(now);
        }
        own.window.add(tokens, now);
        own.total += tokens;
        all.add(tokens, now);
    }

    /** Another node's word; one that is older than what was heard says nothing. */
    void told(long node, Spent spent, long now) {
        Heard before = others.get(node);
        if (before == null || spent.since() > before.spent().since()) {
            all.add(spent.lastMinute(), now);
        } else if (spent.since() == before.spent().since()
                && spent.total() >= before.spent().total()) {
            all.add(spent.total() - before.spent().total(), now);
        } else {
            return;
        }
        others.put(node, new Heard(spent, now));
    }

    int secondsUntilBelow(long limit, long now) {
        return all.secondsUntilBelow(limit, now);
    }

    /** What the others should hear of this node; empty if there is nothing, or nothing new. */
    Optional<Spent> news(boolean whole, long now) {
        if (own == null || (!whole && own.told == own.total)) {
            return Optional.empty();
        }
        own.told = own.total;
        return Optional.of(new Spent(own.since, own.total, own.window.sum(now)));
    }

    /** Whether all of it has left the window, and every node that could tell of it would say so anew. */
    boolean idle(long now) {
        if (own != null && own.window.sum(now) == 0) {
            own = null;
        }
        others.values().removeIf(heard -> now - heard.at() > FORGET_MS);
        return own == null && others.isEmpty() && all.sum(now) == 0;
    }
}
