package io.kvrouter.kv.fleet;

import io.kvrouter.worker.Worker;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Whose blocks can be equal: workers of one routing group that serve one base model.
 *
 * @param model the first of a worker's base models, in alphabetical order
 */
public record PartitionKey(String group, String model) implements Comparable<PartitionKey> {
    private static final Comparator<PartitionKey> ORDER =
            Comparator.comparing(PartitionKey::group).thenComparing(PartitionKey::model);

    /** A worker's partition; empty while its models are not known. */
    public static Optional<PartitionKey> of(Worker worker) {
        var models = new TreeSet<>(worker.facts().models());
        return models.isEmpty()
                ? Optional.empty()
                : Optional.of(new PartitionKey(worker.registration().group(), models.first()));
    }

    @Override
    public int compareTo(PartitionKey other) {
        return ORDER.compare(this, other);
    }
}
