package io.kvrouter.access.share;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The tokens that each caller used in the last minute, in the whole cluster: those of this node at once, those of the
 * others as last heard. Every node decides by itself: no request waits for another node. Safe for use by several threads;
 * each call takes less than a microsecond, {@link #news} as long as there are callers.
 *
 * <p>The bound: a request is let in while the known tokens of the last 60 s are fewer than the limit. So the tokens of
 * any 60 s exceed it by no more than what the caller's requests use that were let in before and end later, and what other
 * nodes counted within the time of news: at most 125 ms, or, if a message is lost, until the next whole one, a second
 * later. Nothing is counted twice, and a token counts for at most a second longer than it should, beside the time for
 * which it was not heard of. What a node told counts until it leaves the window, whether the node is there or not.
 * Memory: half a kilobyte or two for each caller that used tokens in the last two minutes.
 */
public final class SharedTokens {
    private final Map<String, CallerTokens> callers = new HashMap<>();

    /** A worker has worked at so many tokens of the caller. */
    public synchronized void spends(String caller, long tokens, long now) {
        if (tokens > 0) {
            callers.computeIfAbsent(caller, any -> new CallerTokens(now)).spends(tokens, now);
        }
    }

    /**
     * In how many seconds, 1 to 61, the caller may go on; empty if it may now.
     *
     * @param limit tokens of a minute in the whole cluster
     */
    public synchronized OptionalInt secondsToWait(String caller, long limit, long now) {
        CallerTokens tokens = callers.get(caller);
        int seconds = tokens == null ? 0 : tokens.secondsUntilBelow(limit, now);
        return seconds == 0 ? OptionalInt.empty() : OptionalInt.of(seconds);
    }

    /**
     * What the other nodes should hear.
     *
     * @param whole all that there is, because somebody may have missed some of it; else what is new since the last time
     */
    public synchronized Map<String, Spent> news(boolean whole, long now) {
        Map<String, Spent> news = new TreeMap<>();
        if (whole) {
            callers.values().removeIf(tokens -> tokens.idle(now));
        }
        callers.forEach((caller, tokens) -> tokens.news(whole, now).ifPresent(spent -> news.put(caller, spent)));
        return news;
    }

    /** Another node has said what its callers used. */
    public synchronized void told(long node, Map<String, Spent> news, long now) {
        news.forEach((caller, spent) ->
                callers.computeIfAbsent(caller, any -> new CallerTokens(now)).told(node, spent, now));
    }
}
