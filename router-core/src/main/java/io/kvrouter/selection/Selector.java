package io.kvrouter.selection;

import io.kvrouter.kv.Prompt;
import io.kvrouter.load.Booking;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.overlap.FleetCaches;
import io.kvrouter.overlap.Overlap;
import io.kvrouter.overlap.Walks;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Selects a worker and rank: the eligible, without those at their cap and the busy, then what the policy prefers. */
public final class Selector {
    private final SelectionSettings settings;
    private final FleetLoad fleet;
    private final Walks walks;
    private final Choice choice;

    public Selector(SelectionSettings settings, FleetCaches caches, RandomGenerator random) {
        this.settings = settings;
        this.fleet = caches.fleet();
        this.walks = new Walks(caches);
        this.choice = new Choice(settings, random);
    }

    /** Chooses, and books nothing. */
    public Selection select(SelectionRequest request) {
        Field eligible = eligible(request);
        if (eligible.size() == 0) {
            return request.override().isPresent() ? Refusal.NAMED_NOT_ELIGIBLE : Refusal.NONE_ELIGIBLE;
        }
        Field open = fleet.anyAtCap() ? eligible.where(index -> !fleet.atCap(index)) : eligible;
        if (open.size() == 0) {
            return Refusal.AT_CAP;
        }
        boolean anyLoad =
                request.override().isPresent() || settings.thresholds().equals(BusyThresholds.NONE);
        Field roomy = withRoom(open, request);
        Field free = anyLoad ? roomy : roomy.where(index -> !busy(index));
        if (free.size() == 0) {
            return Refusal.ALL_BUSY;
        }
        CostFunction costs = costs(eligible, request.factors());
        return chosen(free, choice.choose(free, costs, request.session()), costs);
    }

    /** Every eligible place, ordered by worker and rank, and what speaks for and against it. */
    public List<Candidate> candidates(SelectionRequest request) {
        Field field = eligible(request);
        CostFunction costs = costs(field, request.factors());
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < field.size(); i++) {
            Place place = field.place(i);
            candidates.add(new Candidate(
                    place,
                    field.load(i),
                    field.overlap(i),
                    field.newBlocks(i),
                    field.cost(i, costs),
                    settings.thresholds().exceededBy(field.load(i), place.capacity())));
        }
        candidates.sort(
                Comparator.comparing((Candidate candidate) -> candidate.place().worker())
                        .thenComparingInt(candidate -> candidate.place().rank()));
        return candidates;
    }

    /** What a prompt puts on the place at a roster index. */
    public Selection.Chosen on(int index, Prompt prompt) {
        walks.begin(prompt);
        Field only = new Field(walks, prompt, new int[] {index});
        return chosen(only, 0, costs(only, Optional.empty()));
    }

    private Selection.Chosen chosen(Field field, int position, CostFunction costs) {
        Place place = field.place(position);
        Overlap overlap = field.overlap(position);
        long cached = costs.cachedTokens(overlap, place.blockSize());
        return new Selection.Chosen(
                place, overlap, Booking.known(costs.tokens() - cached, cached, field.chain(position)));
    }

    private Field eligible(SelectionRequest request) {
        walks.begin(request.prompt());
        Field all = new Field(walks, request.prompt(), fleet.roster().eligible(request.demand()));
        return request.excluded().isEmpty() && request.override().isEmpty()
                ? all
                : all.where(index -> wanted(request, fleet.roster().place(index).worker()));
    }

    private static boolean wanted(SelectionRequest request, WorkerId worker) {
        return request.override().map(worker::equals).orElse(true)
                && !request.excluded().contains(worker);
    }

    /** Workers that come back, or ask for rest, get what they may have, as long as there are others. */
    private Field withRoom(Field eligible, SelectionRequest request) {
        if (!fleet.roster().anyLimited() || request.override().isPresent()) {
            return eligible;
        }
        Field roomy = eligible.where(index -> !fleet.full(index));
        return roomy.size() == 0 ? eligible : roomy;
    }

    /** Whether the place at a roster index is over its busy threshold. */
    public boolean busy(int index) {
        return settings.thresholds()
                .exceededBy(fleet.load(index), fleet.roster().place(index).capacity());
    }

    /** The least prefill is over the eligible; it matters only where the credit decays. */
    private CostFunction costs(Field eligible, Optional<CostFactors> overriding) {
        CostFactors factors = overriding.orElse(settings.factors());
        long least = factors.decay() == 0 ? 0 : eligible.leastPrefill();
        return new CostFunction(factors, eligible.prompt().tokens(), least);
    }
}
