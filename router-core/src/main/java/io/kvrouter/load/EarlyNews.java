package io.kvrouter.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What became known of reservations before their booking arrived. Rare, bounded in number, and in time to an hour. */
final class EarlyNews {
    private static final int LIMIT = 10_000;
    private static final long MEMORY_MS = 3_600_000;

    private final Map<ReservationId, News> known = new LinkedHashMap<>();

    private record News(boolean prefilled, Optional<Booking> correction, long outputTokens, long since) {}

    void prefilled(ReservationId id, long now) {
        learn(id, now, news -> new News(true, news.correction, news.outputTokens, news.since));
    }

    void corrected(ReservationId id, Booking booking, long now) {
        learn(id, now, news -> new News(news.prefilled, Optional.of(booking), news.outputTokens, news.since));
    }

    void output(ReservationId id, long tokens, long now) {
        learn(
                id,
                now,
                news -> new News(news.prefilled, news.correction, Math.max(news.outputTokens, tokens), news.since));
    }

    /** The reservation as it stands after all that is known of it. */
    Reservation apply(ReservationId id, Reservation booked) {
        News news = known.remove(id);
        if (news == null) {
            return booked;
        }
        Reservation corrected =
                news.correction.map(booked::corrected).orElse(booked).withOutput(news.outputTokens);
        return news.prefilled ? corrected.afterPrefill() : corrected;
    }

    void forget(ReservationId id) {
        known.remove(id);
    }

    void sweep(long now) {
        known.values().removeIf(news -> news.since < now - MEMORY_MS);
    }

    int size() {
        return known.size();
    }

    private void learn(ReservationId id, long now, UnaryOperator<News> change) {
        known.put(id, change.apply(known.getOrDefault(id, new News(false, Optional.empty(), 0, now))));
        if (known.size() > LIMIT) {
            known.remove(known.keySet().iterator().next());
        }
    }
}
