package io.kvrouter.cluster.load.lag;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Measures the lag of the other nodes' views with this node's clock alone, so that no difference of clocks is in it:
 * some updates carry a probe, and each receiver says at once when its selection sees them. The lag is the time from the
 * oldest change in such an update to that answer. It is so the lag of the change that waited longest, with the answer's
 * way back on top: an upper bound. State of the load actor.
 */
public final class LagProbes {
    /** Between two probes: the answers of all nodes together stay rare. */
    private static final long INTERVAL_NANOS = 100_000_000;

    private static final int OPEN = 1_024;

    private final Map<Long, Probe> open = new LinkedHashMap<>();
    private long last;
    private long asked;

    /**
     * One update.
     *
     * @param oldestChange when the change in it that waited longest was made, in ns; empty if it has nothing new, and
     *     only asks what the others have seen
     * @param bookings reservations that this node had made when it went out
     */
    public record Probe(OptionalLong oldestChange, long bookings) {}

    /** Whether the update that goes out now is measured: its probe's number, else 0. */
    public long begin(Probe probe, long nanos) {
        if (probe.oldestChange().isPresent()) {
            if (last != 0 && nanos - asked < INTERVAL_NANOS) {
                return 0;
            }
            asked = nanos;
        }
        open.put(++last, probe);
        if (open.size() > OPEN) {
            open.remove(open.keySet().iterator().next());
        }
        return last;
    }

    /** The probe of that number, unless it was more than a minute ago. Every node answers it, so it is kept. */
    public Optional<Probe> probe(long number) {
        return Optional.ofNullable(open.get(number));
    }
}
