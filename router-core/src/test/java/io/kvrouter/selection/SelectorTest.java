package io.kvrouter.selection;

import static io.kvrouter.selection.TestFleets.ANY;
import static io.kvrouter.selection.TestFleets.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.kv.recent.RecentPrompts;
import io.kvrouter.load.Booking;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.ReservationLedger;
import io.kvrouter.overlap.FleetCaches;
import io.kvrouter.overlap.Overlap;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SelectorTest {
    private static final Prompt PROMPT = Prompt.ofText("z".repeat(64 * 10));
    private static final SelectionRequest REQUEST = SelectionRequest.of(ANY, PROMPT);

    private final ReservationLedger ledger = new ReservationLedger();
    private final FleetLoad fleet = new FleetLoad(ledger);
    private final RecentPrompts recent = new RecentPrompts(1_000);
    private long lastId;

    private Selector selector(Fleet workers, SelectionSettings settings) {
        fleet.fleet(workers);
        var caches = new FleetCaches(fleet, () -> CacheView.EMPTY, recent);
        caches.refresh(0);
        return new Selector(settings, caches, new Random(5));
    }

    private Selector selector(int workers, Policy policy) {
        return selector(
                TestFleets.of(workers), new SelectionSettings(policy, CostFactors.DEFAULT, BusyThresholds.NONE));
    }

    /** The first blocks of the prompt went to the worker lately. */
    private void cached(int worker, int blocks) {
        Place place = Place.of(TestFleets.worker(worker, 1, 1), 0);
        recent.remember(place.key(), Prompt.ofText("z".repeat(64 * blocks)).chain(16), 1_000, 0);
    }

    private void load(int worker, long prefillTokens) {
        Place place = Place.of(TestFleets.worker(worker, 1, 1), 0);
        ledger.book(new ReservationId(++lastId), place, Booking.estimated(prefillTokens, 0, 0), 0);
    }

    private static WorkerId chosen(Selection selection) {
        assertThat(selection).isInstanceOf(Selection.Chosen.class);
        return ((Selection.Chosen) selection).place().worker();
    }

    private static Map<WorkerId, Integer> count(int times, Selector selector) {
        Map<WorkerId, Integer> counts = new HashMap<>();
        for (int i = 0; i < times; i++) {
            counts.merge(chosen(selector.select(REQUEST)), 1, Integer::sum);
        }
        return counts;
    }

    @Nested
    class ByCost {
        @Test
        void theOverlapAttracts() {
            cached(2, 8);

            assertThat(chosen(selector(4, Policy.KV).select(REQUEST))).isEqualTo(id(2));
        }

        @Test
        void loadOutweighsOverlap() {
            cached(2, 8);
            load(2, 64 * 16);

            assertThat(chosen(selector(4, Policy.KV).select(REQUEST))).isNotEqualTo(id(2));
        }

        @Test
        void whatIsNotCachedIsBooked() {
            cached(1, 3);

            var chosen = (Selection.Chosen) selector(2, Policy.KV).select(REQUEST);

            assertThat(chosen.booking().cachedTokens()).isEqualTo(48);
            assertThat(chosen.booking().prefillTokens()).isEqualTo(160 - 48);
            assertThat(chosen.overlap()).isEqualTo(Overlap.onDevice(3));
        }

        @Test
        void exactTiesAreSharedEvenly() {
            assertThat(count(4_000, selector(4, Policy.KV)).values())
                    .hasSize(4)
                    .allSatisfy(share -> assertThat(share).isBetween(900, 1_100));
        }

        @Test
        void temperatureFlattensTheChoice() {
            cached(0, 10);
            var warm =
                    new SelectionSettings(Policy.KV, CostFactors.DEFAULT.with("temperature", 1), BusyThresholds.NONE);

            Map<WorkerId, Integer> shares = count(4_000, selector(TestFleets.of(2), warm));

            // costs 10 and 20, normalised by their range: 1 to 1/e
            assertThat(shares.get(id(0))).isBetween(2_824, 3_024);
        }

        @Test
        void eachRankIsACandidateOfItsOwn() {
            var fleet = new Fleet(List.of(TestFleets.worker(0, 4, 1)));

            assertThat(selector(fleet, SelectionSettings.DEFAULT).candidates(REQUEST))
                    .extracting(candidate -> candidate.place().rank())
                    .containsExactly(0, 1, 2, 3);
        }

        @Test
        void theExplanationSaysWhatSpeaksForEachCandidate() {
            cached(1, 3);
            load(1, 32);

            Candidate candidate = selector(2, Policy.KV).candidates(REQUEST).get(1);

            assertThat(candidate.place().worker()).isEqualTo(id(1));
            assertThat(candidate.overlap()).isEqualTo(Overlap.onDevice(3));
            assertThat(candidate.load().prefillTokens()).isEqualTo(32);
            assertThat(candidate.cost()).isEqualTo(2 + 10 - 3 + 10);
        }
    }

    @Nested
    class ByOtherPolicies {
        @Test
        void leastLoadTakesTheFewestRequests() {
            load(0, 0);
            load(1, 0);
            load(2, 0);

            assertThat(count(20, selector(4, Policy.LEAST_LOAD))).containsOnlyKeys(id(3));
        }

        @Test
        void powerOfTwoNeverTakesTheMostLoaded() {
            load(1, 0);

            assertThat(count(300, selector(3, Policy.POWER_OF_TWO))).containsOnlyKeys(id(0), id(2));
        }

        @Test
        void roundRobinTakesOneAfterTheOther() {
            assertThat(count(9, selector(3, Policy.ROUND_ROBIN)).values()).containsExactly(3, 3, 3);
        }

        @Test
        void randomTakesAll() {
            assertThat(count(3_000, selector(3, Policy.RANDOM)).values())
                    .hasSize(3)
                    .allSatisfy(share -> assertThat(share).isBetween(880, 1_120));
        }

        @Test
        void consistentHashMovesOnlyTheShareOfTheWorkerThatIsGone() {
            Selector all = selector(5, Policy.CONSISTENT_HASH);
            Map<Integer, WorkerId> before = new HashMap<>();
            for (int session = 0; session < 500; session++) {
                before.put(session, chosen(all.select(ofSession(session, Set.of()))));
            }

            assertThat(Set.copyOf(before.values())).hasSize(5);
            before.forEach((session, worker) -> {
                WorkerId after = chosen(all.select(ofSession(session, Set.of(id(3)))));
                assertThat(after.equals(worker)).isEqualTo(!worker.equals(id(3)));
            });
        }

        @Test
        void consistentHashWithoutASessionGoesByThePrompt() {
            assertThat(count(50, selector(5, Policy.CONSISTENT_HASH))).hasSize(1);
        }

        @Test
        void anUnknownPolicyIsRefusedWithTheKnownOnes() {
            assertThat(Policy.named("power-of-two")).isEqualTo(Policy.POWER_OF_TWO);
            assertThatThrownBy(() -> Policy.named("marginal"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("policy: \"marginal\"")
                    .hasMessageContaining("kv, least-load, power-of-two, round-robin, random, consistent-hash");
        }

        private SelectionRequest ofSession(int session, Set<WorkerId> excluded) {
            var key = Optional.of(new SessionKey(session, 9));
            return new SelectionRequest(ANY, excluded, PROMPT, key, Optional.empty(), Optional.empty());
        }
    }

    @Nested
    class WhenNoneIsLeft {
        private final BusyThresholds oneRequest =
                new BusyThresholds(OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.of(0));

        private Selector busyAt(BusyThresholds thresholds) {
            return selector(TestFleets.of(2), new SelectionSettings(Policy.KV, CostFactors.DEFAULT, thresholds));
        }

        @Test
        void aModelThatNobodyServesIsRefused() {
            var demand = new Demand("default", "other", Set.of());

            assertThat(selector(3, Policy.KV).select(SelectionRequest.of(demand, PROMPT)))
                    .isEqualTo(Refusal.NONE_ELIGIBLE);
        }

        @Test
        void anAllowlistNarrowsTheChoice() {
            var demand = new Demand("default", "m", Set.of(id(1), id(7)));

            assertThat(chosen(selector(3, Policy.KV).select(SelectionRequest.of(demand, PROMPT))))
                    .isEqualTo(id(1));
        }

        @Test
        void workersThatWereTriedAreNotTriedAgain() {
            var tried = new SelectionRequest(
                    ANY, Set.of(id(0), id(1)), PROMPT, Optional.empty(), Optional.empty(), Optional.empty());

            assertThat(selector(2, Policy.KV).select(tried)).isEqualTo(Refusal.NONE_ELIGIBLE);
            assertThat(chosen(selector(3, Policy.KV).select(tried))).isEqualTo(id(2));
        }

        @Test
        void aBusyWorkerTakesNoUnboundRequest() {
            load(0, 0);
            assertThat(chosen(busyAt(oneRequest).select(REQUEST))).isEqualTo(id(1));

            load(1, 0);
            assertThat(busyAt(oneRequest).select(REQUEST)).isEqualTo(Refusal.ALL_BUSY);
        }

        @Test
        void prefillTokensAndDecodeBlocksMakeBusyToo() {
            load(0, 101);
            ledger.book(
                    new ReservationId(99), Place.of(TestFleets.worker(1, 1, 1), 0), Booking.estimated(0, 0, 801), 0);

            var thresholds = new BusyThresholds(OptionalLong.of(100), OptionalDouble.of(0.8), OptionalLong.empty());

            assertThat(busyAt(thresholds).select(REQUEST)).isEqualTo(Refusal.ALL_BUSY);
        }

        @Test
        void anOverrideIsFollowedThoughTheWorkerIsBusy() {
            load(0, 0);

            assertThat(chosen(busyAt(oneRequest).select(override(0)))).isEqualTo(id(0));
        }

        @Test
        void anOverrideThatIsNotEligibleIsRefused() {
            assertThat(selector(2, Policy.KV).select(override(7))).isEqualTo(Refusal.NAMED_NOT_ELIGIBLE);
        }

        private SelectionRequest override(int worker) {
            return new SelectionRequest(
                    ANY, Set.of(), PROMPT, Optional.empty(), Optional.empty(), Optional.of(id(worker)));
        }
    }
}
