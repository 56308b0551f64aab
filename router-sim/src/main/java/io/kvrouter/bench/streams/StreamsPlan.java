package io.kvrouter.bench.streams;

/**
 * How many streams.
 *
 * @param idle in which nothing moves, at once
 * @param slow whose readers do not read, after those
 */
public record StreamsPlan(int idle, int slow) {
    public StreamsPlan {
        if (idle < 1 || slow < 1) {
            throw new IllegalArgumentException("idle " + idle + ", slow " + slow + " (expected: at least 1 each)");
        }
    }
}
