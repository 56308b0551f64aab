package io.kvrouter.bench;

import java.io.IOException;
import java.nio.file.Path;

/** What a benchmark found. */
public interface Report {
    /** Whether what must not happen did not. */
    boolean sound();

    /** For people: the figures, and what they mean. */
    String text();

    /** Writes all figures as JSON. */
    void writeJson(Path file) throws IOException;
}
