package io.kvrouter.selection;

import com.dynatrace.hash4j.hashing.Hashing;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.session.SessionKey;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

/** Chooses a position in a field of at least one candidate, by the policy. */
final class Choice {
    private final Policy policy;
    private final RandomGenerator random;
    private final NearLeast nearLeast;
    private final boolean exact;
    private long turn;

    Choice(SelectionSettings settings, RandomGenerator random) {
        this.policy = settings.policy();
        this.random = random;
        this.exact = settings.nearEqual() == 0;
        this.nearLeast = new NearLeast(settings.nearEqual(), random);
    }

    int choose(Field field, CostFunction costs, Optional<SessionKey> session) {
        return switch (policy) {
            case KV -> byCost(field, costs);
            case LEAST_LOAD -> least(field.size(), i -> weight(field.load(i)));
            case POWER_OF_TWO -> lessLoadedOfTwo(field);
            case ROUND_ROBIN -> (int) (turn++ % field.size());
            case RANDOM -> random.nextInt(field.size());
            case CONSISTENT_HASH -> rendezvous(field, session);
        };
    }

    private int byCost(Field field, CostFunction costs) {
        double temperature = costs.factors().temperature();
        if (temperature > 0) {
            return softmax(field, costs, temperature);
        }
        return field.nodes() == 1 || exact
                ? least(field.size(), i -> field.cost(i, costs))
                : nearLeast.choose(field, costs);
    }

    /** The position of the least value; exact ties uniformly at random. */
    private int least(int size, IntToDoubleFunction value) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        int ties = 0;
        for (int i = 0; i < size; i++) {
            double cost = value.applyAsDouble(i);
            if (cost < least) {
                best = i;
                least = cost;
                ties = 1;
            } else if (cost == least && random.nextInt(++ties) == 0) {
                best = i;
            }
        }
        return best;
    }

    /** Probability e^(-cost / temperature), with the costs normalised by their range. */
    private int softmax(Field field, CostFunction costs, double temperature) {
        double[] weights = new double[field.size()];
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = field.cost(i, costs);
            least = Math.min(least, weights[i]);
            most = Math.max(most, weights[i]);
        }
        double range = most > least ? most - least : 1;
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Math.exp((least - weights[i]) / range / temperature);
            sum += weights[i];
        }
        double left = random.nextDouble() * sum;
        int chosen = 0;
        while (chosen < weights.length - 1 && (left -= weights[chosen]) >= 0) {
            chosen++;
        }
        return chosen;
    }

    private int lessLoadedOfTwo(Field field) {
        if (field.size() == 1) {
            return 0;
        }
        int first = random.nextInt(field.size());
        int other = random.nextInt(field.size() - 1);
        int second = other < first ? other : other + 1; // two different ones
        return weight(field.load(first)) <= weight(field.load(second)) ? first : second;
    }

    /** Requests count first; prefill tokens stay below one. */
    private static double weight(WorkerLoad load) {
        double tokens = load.prefillTokens();
        return load.requests() + tokens / (tokens + 1_000_000);
    }

    /** Rendezvous hashing: the place with the highest hash of key and place. */
    private static int rendezvous(Field field, Optional<SessionKey> session) {
        long key = session.map(s -> Hashing.xxh3_64().hashLongLongToLong(s.high(), s.low()))
                .orElseGet(() -> field.prompt().prefixHash());
        int best = 0;
        long highest = Long.MIN_VALUE;
        for (int i = 0; i < field.size(); i++) {
            long hash = Hashing.xxh3_64().hashLongLongToLong(key, field.place(i).stableKey());
            if (hash > highest) {
                best = i;
                highest = hash;
            }
        }
        return best;
    }
}
