package io.kvrouter.sim.kv;

/**
 * How a fleet's workers publish KV events.
 *
 * @param firstPort first of the ports; 0 for free ones
 * @param form how batches are written
 * @param replayBatches batches that can be asked for again, of each stream
 */
public record KvEventSettings(int firstPort, Form form, int replayBatches) {
    /** Free ports, vLLM's form, and as many batches as vLLM keeps. */
    public static final KvEventSettings DEFAULT = new KvEventSettings(0, Form.ARRAY, 10_000);

    /** The two ways in which engines write batches and events. */
    public enum Form {
        /** Arrays with the tag first, hashes unsigned: vLLM, SGLang. */
        ARRAY,
        /** Maps with a {@code type}, hashes signed: TensorRT-LLM. */
        MAP
    }

    public KvEventSettings {
        if (firstPort < 0 || firstPort > 65_535) {
            throw new IllegalArgumentException("kv events: port " + firstPort + " (expected: 0 to 65535)");
        }
        if (replayBatches < 1) {
            throw new IllegalArgumentException("kv events: " + replayBatches + " batches of replay (expected: >= 1)");
        }
    }

    public KvEventSettings withFirstPort(int port) {
        return new KvEventSettings(port, form, replayBatches);
    }

    public KvEventSettings withForm(Form newForm) {
        return new KvEventSettings(firstPort, newForm, replayBatches);
    }

    public KvEventSettings withReplayBatches(int batches) {
        return new KvEventSettings(firstPort, form, batches);
    }

    /** The settings of one of several workers: each has two ports a rank, the events' first, then the replays'. */
    public KvEventSettings ofWorker(int index, int ranks) {
        return firstPort == 0 ? this : withFirstPort(firstPort + 2 * index * ranks);
    }

    /** Where a rank publishes; 0 for a free port. */
    int eventPort(int rank) {
        return firstPort == 0 ? 0 : firstPort + rank;
    }

    /** Where a rank answers replay requests; 0 for a free port. */
    int replayPort(int rank, int ranks) {
        return firstPort == 0 ? 0 : firstPort + ranks + rank;
    }
}
