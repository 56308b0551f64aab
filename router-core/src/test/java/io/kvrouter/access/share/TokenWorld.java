package io.kvrouter.access.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Nodes that let a caller's requests in by what they know, and hear of one another late, or not at all. Whenever one
 * decides, what it decided is compared with what it should have known.
 */
final class TokenWorld {
    private static final String CALLER = "a";
    private static final long LONGEST_WAY = 100;
    private static final long TELLS_EVERY = 25;
    private static final long WHOLE_EVERY = 1_000;
    private static final long WINDOW = TokenWindow.SECONDS * 1_000L;
    private static final long RUNS_FOR = 200_000;

    private final SplittableRandom random;
    private final int limit;
    private final double lost;
    private final List<SharedTokens> nodes = new ArrayList<>();
    private final List<Used> used = new ArrayList<>();
    private final PriorityQueue<News> underWay = new PriorityQueue<>(Comparator.comparingLong(News::arrival));
    private final PriorityQueue<Used> inFlight = new PriorityQueue<>(Comparator.comparingLong(Used::at));
    private final long[] heard; // by way: when the last whole word was sent that came
    private final long[] lastArrival;
    private long let;
    private long now = 500;

    /** Tokens that a node counted. */
    private record Used(int node, long tokens, long at) {}

    private record News(long arrival, long sent, boolean whole, int way, Map<String, Spent> spent) {}

    TokenWorld(int count, int limit, double lost, long seed) {
        this.random = new SplittableRandom(seed);
        this.limit = limit;
        this.lost = lost;
        this.heard = new long[count * count];
        this.lastArrival = new long[count * count];
        for (int node = 0; node < count; node++) {
            nodes.add(new SharedTokens());
        }
    }

    /** Answers how many requests were let in. */
    long run() {
        for (; now < RUNS_FOR; now += TELLS_EVERY) {
            while (!inFlight.isEmpty() && inFlight.peek().at() <= now) {
                Used over = inFlight.remove();
                nodes.get(over.node()).spends(CALLER, over.tokens(), now);
                used.add(new Used(over.node(), over.tokens(), now));
            }
            hear();
            if (random.nextInt(20) == 0) {
                asks(random.nextInt(nodes.size()));
            }
            for (int node = 0; node < nodes.size(); node++) {
                tell(node);
            }
        }
        return let;
    }

    private void asks(int node) {
        var wait = nodes.get(node).secondsToWait(CALLER, limit, now);
        long mustKnow = sum(node, now - WINDOW, false);
        long mayKnow = sum(node, now - WINDOW - 1_000 - longestSilence(), true);
        if (wait.isEmpty()) {
            assertThat(mustKnow).isLessThan(limit);
            let++;
            long tokens = 1 + random.nextLong(limit / 5);
            inFlight.add(new Used(node, tokens, now + random.nextLong(10_000)));
        } else {
            assertThat(mayKnow).isGreaterThanOrEqualTo(limit);
            assertThat(wait.getAsInt()).isBetween(1, TokenWindow.SECONDS + 1);
        }
    }

    /** Tokens since then of the node itself, and of the others those that it has heard of for sure, or all. */
    private long sum(int node, long since, boolean all) {
        return used.reversed().stream()
                .takeWhile(one -> one.at() > since)
                .filter(one -> all || one.node() == node || one.at() <= heard[one.node() * nodes.size() + node])
                .mapToLong(Used::tokens)
                .sum();
    }

    private long longestSilence() {
        return lost == 0 ? LONGEST_WAY + TELLS_EVERY : 30_000;
    }

    private void hear() {
        while (!underWay.isEmpty() && underWay.peek().arrival() <= now) {
            News news = underWay.remove();
            int from = news.way() / nodes.size();
            nodes.get(news.way() % nodes.size()).told(from, news.spent(), now);
            if (news.whole() || lost == 0) {
                heard[news.way()] = news.sent();
            }
        }
        if (lost == 0) { // the bound that is stated: who is heard at all is heard within the time of news
            for (int way = 0; way < heard.length; way++) {
                heard[way] = Math.max(heard[way], now - LONGEST_WAY - TELLS_EVERY);
            }
        }
    }

    /** In the order in which it was said, if it comes. */
    private void tell(int node) {
        boolean whole = now % WHOLE_EVERY == 0;
        var spent = nodes.get(node).news(whole, now);
        for (int to = 0; to < nodes.size(); to++) {
            int way = node * nodes.size() + to;
            if (to != node && (whole || !spent.isEmpty()) && random.nextDouble() >= lost) {
                lastArrival[way] = Math.max(lastArrival[way], now + random.nextLong(LONGEST_WAY + 1));
                underWay.add(new News(lastArrival[way], now, whole, way, spent));
            }
        }
    }
}
