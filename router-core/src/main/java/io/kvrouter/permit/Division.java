package io.kvrouter.permit;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How one worker's permits are divided among the nodes. Nobody is given what another one may still use.
 *
 * <p>Wanted permits go in equal parts to those that want so many; what nobody wants is spread, so that a node has some at
 * hand. As long as nobody goes short, all stay where they are. Where there are fewer permits than nodes that want one,
 * they go round.
 */
final class Division {
    private final Map<Long, Part> parts = new HashMap<>();

    Part part(long node) {
        return parts.computeIfAbsent(node, Part::new);
    }

    Collection<Part> parts() {
        return parts.values();
    }

    void remove(long node) {
        parts.remove(node);
    }

    /** Whether nobody has anything to do with the worker any more. */
    boolean isOver() {
        parts.values().removeIf(Part::over);
        return parts.isEmpty();
    }

    /**
     * Gives what is free to whom it belongs, and tells the others what to give back if somebody goes short.
     *
     * @param number of the next grant
     */
    void decide(int cap, LongSupplier number) {
        Map<Part, Integer> fair = fair(cap);
        int free = cap - parts.values().stream().mapToInt(Part::granted).sum();
        List<Part> order = parts.values().stream()
                .sorted(Comparator.comparing((Part part) -> !part.hungry()).thenComparing(Part.LEAST_RECENT))
                .toList();
        for (Part part : order) {
            int more = Math.min(free, fair.getOrDefault(part, 0) - part.granted());
            if (more > 0) {
                part.grant(more, number.getAsLong());
                free -= more;
            }
        }
        boolean scarce = free < 0
                || order.stream().anyMatch(part -> part.hungry() && part.granted() < fair.getOrDefault(part, 0));
        order.forEach(
                part -> part.keeps(scarce ? Math.min(part.granted(), fair.getOrDefault(part, 0)) : part.granted()));
        long wanted = order.stream().mapToLong(Part::wantedSurely).sum();
        order.forEach(part -> part.othersWant((int) Math.min(cap, wanted - part.wantedSurely())));
    }

    private Map<Part, Integer> fair(int cap) {
        int level = level(cap);
        Map<Part, Integer> fair = new HashMap<>();
        parts.values().forEach(part -> fair.put(part, Math.min(part.wanted(), level)));
        int left = cap - sum(fair);
        if (parts.values().stream().anyMatch(part -> part.wanted() > level)) {
            giveOneEach(fair, left, level);
        } else {
            spread(fair, left);
        }
        return fair;
    }

    /** The highest one at which all may have that much of what they want. */
    private int level(int cap) {
        int low = 0;
        int high = cap;
        while (low < high) {
            int level = (low + high + 1) >>> 1;
            long all = parts.values().stream()
                    .mapToLong(part -> Math.min(part.wanted(), level))
                    .sum();
            if (all <= cap) {
                low = level;
            } else {
                high = level - 1;
            }
        }
        return low;
    }

    /** The rest goes to as many of those that want more: to who has it, or round where all else have nothing. */
    private void giveOneEach(Map<Part, Integer> fair, int left, int level) {
        Comparator<Part> hasIt = Comparator.comparing((Part part) -> level == 0 || part.granted() <= level);
        parts.values().stream()
                .filter(part -> part.wanted() > level)
                .sorted(hasIt.thenComparing(Part.LEAST_RECENT))
                .limit(left)
                .forEach(part -> fair.merge(part, 1, Integer::sum));
    }

    /** What nobody wants, in equal parts; the rest to who has it. */
    private void spread(Map<Part, Integer> fair, int left) {
        List<Part> among = parts.values().stream().filter(Part::known).toList();
        if (among.isEmpty()) {
            return;
        }
        int each = left / among.size();
        among.forEach(part -> fair.merge(part, each, Integer::sum));
        Comparator<Part> hasIt = Comparator.comparing((Part part) -> part.granted() <= fair.getOrDefault(part, 0));
        among.stream()
                .sorted(hasIt.thenComparing(Part.LEAST_RECENT))
                .limit(left % among.size())
                .forEach(part -> fair.merge(part, 1, Integer::sum));
    }

    private static int sum(Map<Part, Integer> fair) {
        return fair.values().stream().mapToInt(Integer::intValue).sum();
    }
}
